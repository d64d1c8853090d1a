"""Hybrid super-sampling: thousands of made-up systems from a few real ones.

A hybrid takes, segment by segment, the output of one real system picked at random. Its human score is the mean of
the picked outputs' human scores (those that have one). Its metric score is the mean of their metric scores or, for a
metric such as BLEU, what the metric computes from the sum of their statistics. No text is assembled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from farthing.core.errors import UsageError
from farthing.meta.correlation import Undefined

HYBRIDS = 10_000
_BLOCK = 1 << 21  # picks held at a time


@dataclass(frozen=True, slots=True)
class Picks:
    """Which system each hybrid takes for each segment.

    :param available: systems x segments, True if there is an output
    :param count: how many hybrids
    """

    available: np.ndarray
    count: int = HYBRIDS
    seed: int = 0

    def __post_init__(self) -> None:
        if self.count < 1:
            raise UsageError(f"at least one hybrid is needed, not {self.count}")
        if len(self.available) < 2:
            raise UsageError("hybrids need the outputs of at least two systems")
        if not np.all(self.available.any(axis=0)):
            raise UsageError("some segments have no output at all: leave them out")

    def blocks(self) -> Iterator[np.ndarray]:
        """Yield the picked systems' numbers as hybrids x segments, some hybrids at a time; the same at every call."""
        random = np.random.default_rng(self.seed)
        choices = self.available.sum(axis=0)
        # For each segment, the systems that have it come first.
        order = np.argsort(~self.available, axis=0, kind="stable")
        segments = np.arange(self.available.shape[1])
        everything = bool(self.available.all())
        size = max(1, _BLOCK // self.available.shape[1])
        for start in range(0, self.count, size):
            shape = (min(size, self.count - start), len(segments))
            picked = random.integers(0, choices, size=shape, dtype=np.int32)
            yield picked if everything else order[picked, segments].astype(np.int32)


def hybrid_scores(scores: ArrayLike, picks: Picks) -> np.ndarray:
    """Average each hybrid over those of its outputs that have a score; NaN marks a missing one.

    :param scores: systems x segments, or systems x segments x judges for several at once
    :return: one score per hybrid, or hybrids x judges

    >>> picks = Picks(np.ones((2, 3), dtype=bool), count=4, seed=1)
    >>> hybrid_scores([[1, 1, 1], [1, 1, 1]], picks)
    array([1., 1., 1., 1.])
    """
    given = np.asarray(scores, dtype=float)
    values = given[..., None] if given.ndim == 2 else given
    _check_shape(values, picks)
    there = ~np.isnan(values)
    sums = _sum_picked(np.where(there, values, 0.0), picks)
    counts = np.full_like(sums, values.shape[1]) if there.all() else _sum_picked(there.astype(float), picks)
    if not counts.all():
        raise Undefined(f"{int(np.sum(counts == 0))} hybrids have no scored segment: too few are scored")
    return np.asarray((sums / counts).reshape(len(sums), *given.shape[2:]))


def hybrid_aggregates(statistics: np.ndarray, aggregate: Callable[[np.ndarray], float], picks: Picks) -> np.ndarray:
    """Compute the corpus score of each hybrid from its outputs' statistics, systems x segments x statistics."""
    _check_shape(statistics, picks)
    return np.array([aggregate(total) for total in _sum_picked(np.nan_to_num(statistics), picks)])


def _check_shape(values: np.ndarray, picks: Picks) -> None:
    if values.shape[:2] != picks.available.shape:
        raise UsageError(
            f"scores are {values.shape[:2]}, but the systems x segments to pick from {picks.available.shape}"
        )


def _sum_picked(values: np.ndarray, picks: Picks) -> np.ndarray:
    """Sum, over each hybrid's picks, values that are given as systems x segments x kinds."""
    systems, segments, kinds = values.shape
    planes = np.ascontiguousarray(np.moveaxis(values, 2, 0)).reshape(kinds, systems * segments)
    places = np.arange(segments, dtype=np.int32)
    found = []
    for block in picks.blocks():
        chosen = block * segments + places
        found.append(np.stack([plane.take(chosen).sum(axis=1) for plane in planes], axis=1))
    return np.concatenate(found)
