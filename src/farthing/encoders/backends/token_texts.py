"""The tokens of texts, as vectors and weights: of one text, and of several in one array."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from farthing.core.arrays import Floats, Indices, Vectors, Weights
from farthing.core.workspace import Workspace


class Tokens(NamedTuple):
    """The tokens of one text: a unit vector and a positive weight for each of them."""

    vectors: Vectors
    weights: Weights


class TokenTexts(NamedTuple):
    """The tokens of several texts, each of which has at least one; there may be others between them.

    :param starts: the place of each text's first token
    :param sizes: how many tokens each text has
    """

    vectors: Vectors
    weights: Weights
    starts: Indices
    sizes: Indices

    @classmethod
    def of(cls, texts: Sequence[Tokens]) -> TokenTexts:
        """Put the tokens of at least one text into one array."""
        sizes = np.array([len(tokens.weights) for tokens in texts])
        vectors, weights = (np.concatenate([tokens[part] for tokens in texts]) for part in (0, 1))
        return cls(vectors, weights, np.cumsum(sizes) - sizes, sizes)

    def single(self) -> Iterator[Tokens]:
        """Yield the tokens of each text."""
        for start, stop in zip(self.starts.tolist(), (self.starts + self.sizes).tolist(), strict=True):
            yield Tokens(self.vectors[start:stop], self.weights[start:stop])

    def filled(self, texts: slice, size: int, memory: Workspace | None = None) -> tuple[Vectors, Floats]:
        """Return the vectors and the shares of weight of some texts, each filled up to as many tokens.

        They are filled up with copies of the last token that weigh nothing. Such copies change no maximum and no mean.

        :param memory: where the vectors are to stand
        """
        steps, sizes = np.arange(size), self.sizes[texts, None]
        places = self.starts[texts, None] + np.minimum(steps, sizes - 1)
        shape, kept = (*places.shape, self.vectors.shape[1]), memory or Workspace()
        vectors: Vectors = kept.array("taken", shape, self.vectors.dtype)
        self.vectors.take(places, axis=0, out=vectors, mode="clip")  # another mode would make a copy first
        shares: Floats = self.weights.take(places).astype(np.float64)
        shares[steps >= sizes] = 0.0
        shares /= shares.sum(axis=1, keepdims=True)
        return vectors, shares
