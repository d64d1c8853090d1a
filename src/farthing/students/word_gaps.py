"""Features of two texts that are found word by word: each text is read once, whatever it is compared with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from farthing.core.arrays import Matrix

ReadWords = TypeVar("ReadWords")  #: what is kept of one text


class WordFeatures(NamedTuple, Generic[ReadWords]):
    """A group of features.

    :param names: one per feature
    :param read: reads the words of one text
    :param gap: returns the features of two texts, each 0 if they are equal
    """

    names: Sequence[str]
    read: Callable[[str], ReadWords]
    gap: Callable[[ReadWords, ReadWords], Sequence[float]]

    def pairs(self, candidates: Sequence[str], others: Sequence[str]) -> Matrix:
        """Return the features of every pair: one row per pair, one column per name."""
        known = {text: self.read(text) for text in dict.fromkeys([*candidates, *others])}
        rows = [self.gap(known[one], known[two]) for one, two in zip(candidates, others, strict=True)]
        return np.array(rows, dtype=np.float64).reshape(-1, len(self.names))

    def crossed(self, candidates: Sequence[str], references: Sequence[str]) -> CrossedWords[ReadWords]:
        """Read all candidates and all references of a list."""
        return CrossedWords(self, list(map(self.read, candidates)), list(map(self.read, references)))


class CrossedWords(NamedTuple, Generic[ReadWords]):
    """The features of all candidates and all references of a list."""

    features: WordFeatures[ReadWords]
    own: Sequence[ReadWords]
    other: Sequence[ReadWords]

    def gaps(self, rows: slice) -> Matrix:
        """Return the features of some candidates with all references, one per name along the last axis."""
        some = self.own[rows]
        gaps = [self.features.gap(own, other) for own in some for other in self.other]
        return np.array(gaps, dtype=np.float64).reshape(len(some), len(self.other), len(self.features.names))
