"""Greedy matching of every text of one list with every text of another, by few large products."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from farthing.core.arrays import Floats, Indices, Matrix, Vectors, Weights

TOKENS = 256  # tokens of the first list in one product: its result should stay in the processor's cache


class Bundle(NamedTuple):
    """The tokens of several texts, one text after the other. Each text has at least one token.

    :param starts: the place of each text's first token
    :param shares: the weights of the tokens, which sum to 1 in each text
    """

    vectors: Vectors
    starts: Indices
    shares: Weights

    @classmethod
    def of(cls, vectors: Sequence[Vectors], weights: Sequence[Weights], dtype: npt.DTypeLike = np.float32) -> Bundle:
        """Bundle the unit vectors and the weights of some texts; products are computed in the given precision."""
        sizes = np.array([len(one) for one in vectors], dtype=np.int64)
        starts, heavy = np.cumsum(sizes) - sizes, np.concatenate(weights).astype(np.float64)
        return cls(
            np.concatenate(vectors, dtype=dtype), starts, heavy / np.repeat(np.add.reduceat(heavy, starts), sizes)
        )

    @property
    def ends(self) -> Indices:
        """The place after each text's last token."""
        return np.append(self.starts[1:], len(self.vectors))

    def part(self, begin: int, end: int) -> Bundle:
        """Return the texts from `begin` up to but not including `end`."""
        first, last = int(self.starts[begin]), int(self.ends[end - 1])
        return Bundle(self.vectors[first:last], self.starts[begin:end] - first, self.shares[first:last])

    def means(self, values: Floats) -> Matrix:
        """Average over the tokens of each text: from one column per token to one per text."""
        averages: Matrix = np.add.reduceat(values * self.shares, self.starts, axis=1)
        return averages

    def pooled(self) -> Matrix:
        """Return the mean vector of each text at length 1."""
        spans = zip(self.starts, self.ends, strict=True)
        means = np.stack([self.shares[start:stop] @ self.vectors[start:stop] for start, stop in spans])
        unit: Matrix = means / np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-12)
        return unit


Measure: TypeAlias = Callable[[Floats], Floats]  #: what is averaged, given the similarity of each nearest token


def crossed_means(first: Bundle, second: Bundle, *measures: Measure) -> Floats:
    """Match all texts of two lists, and average measures of the similarity of each token's nearest one.

    The result is measures by directions by texts of the first list by texts of the second. Direction 0 averages over
    tokens of the first (precision), direction 1 over tokens of the second (recall). If both lists are one object, only
    half of the products are computed, since the precision of a pair is the recall of the reverse pair.
    """
    means = np.empty((len(measures), 2, len(first.starts), len(second.starts)))
    longest = max(TOKENS, int((first.ends - first.starts).max()))
    room = np.empty(longest * len(second.vectors), first.vectors.dtype)
    for begin, end in _blocks(first.ends):
        part, other = first.part(begin, end), second.part(begin, len(second.starts)) if second is first else second
        columns = slice(begin if second is first else 0, None)
        forth, back = nearest_tokens(part, other, room)
        for number, measure in enumerate(measures):
            means[number, 0, begin:end, columns] = part.means(measure(forth)).T
            means[number, 1, begin:end, columns] = other.means(measure(back))
    if second is first:
        below = np.tri(len(first.starts), k=-1, dtype=bool)
        means = np.where(below, means[:, ::-1].swapaxes(2, 3), means)
    return means


def nearest_tokens(first: Bundle, second: Bundle, room: Floats) -> tuple[Matrix, Matrix]:
    """Return how similar each token is to the nearest token of every text of the other list.

    The first result has one row per text of the second list and one column per token of the first list, the second
    result the reverse.

    :param room: memory for all similarities; to use the same one again saves as much time as half of the product takes
    """
    shape = len(first.vectors), len(second.vectors)
    similarity = np.matmul(first.vectors, second.vectors.T, out=room[: shape[0] * shape[1]].reshape(shape))
    forth = np.ascontiguousarray(np.maximum.reduceat(similarity, second.starts, axis=1).T)
    spans = zip(first.starts, first.ends, strict=True)
    back = np.stack([similarity[start:stop].max(axis=0) for start, stop in spans])  # faster than reduceat over rows
    return forth, back


def _blocks(ends: Indices) -> Iterator[tuple[int, int]]:
    """Cut a list of texts into stretches of about :data:`TOKENS` tokens."""
    begin = 0
    while begin < len(ends):
        before = ends[begin - 1] if begin else 0
        end = max(int(np.searchsorted(ends, before + TOKENS, side="right")), begin + 1)
        yield begin, end
        begin = end
