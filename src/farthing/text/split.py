"""Texts cut at white space, each distinct word kept once: most words of a corpus come again."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from farthing.core.arrays import Indices, Mask


class SplitTexts(NamedTuple):
    """The words of several texts.

    :param words: the distinct ones
    :param numbers: the place in `words` of every word of every text, text after text
    :param sizes: how many words each text has
    """

    words: list[str]
    numbers: Indices
    sizes: Indices

    @property
    def bounds(self) -> Indices:
        """Where the words of each text start, and where the last ones end."""
        return np.concatenate([[0], np.cumsum(self.sizes)])

    def chosen(self, texts: Mask) -> SplitTexts:
        """Return some of the texts, with the words that they have."""
        if texts.all():
            return self
        numbers = self.numbers[np.repeat(texts, self.sizes)]
        used = np.bincount(numbers, minlength=len(self.words)) > 0
        words = [self.words[number] for number in np.flatnonzero(used).tolist()]
        return SplitTexts(words, (np.cumsum(used) - 1)[numbers], self.sizes[texts])


class _Numbers(dict[str, int]):
    """Numbers words in the order in which they are first asked for."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


def split_texts(texts: Sequence[str]) -> SplitTexts:
    """Cut texts into words.

    >>> split_texts(["a b a", "", "b"])
    SplitTexts(words=['a', 'b'], numbers=array([0, 1, 0, 1]), sizes=array([3, 0, 1]))
    """
    rows, known = list(map(str.split, texts)), _Numbers()
    sizes = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
    every = map(known.__getitem__, chain.from_iterable(rows))
    numbers = np.fromiter(every, dtype=np.int64, count=int(sizes.sum()))
    return SplitTexts(list(known), numbers, sizes)
