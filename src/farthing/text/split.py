"""Texts cut into words at white space, each word as a number: most words of a corpus come again.

What is found out about a word, such as its tokens, is found out once and kept under its number; then an array of
numbers stands for a text, and no Python loop runs over its words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import compress
from threading import Lock
from typing import NamedTuple

import numpy as np

from farthing.core.arrays import Indices, Mask

MANY = 64  # with fewer texts a memory does not pay
MOST = 1 << 18  # the most words that are remembered
_END = "\0"  # stands behind each text as a word of its own; no plain text has it
_SPACED = re.compile(r"[ -Z\\-~\u00a1-\u058f\u2010-\u205e\u20a0-\u20bf]*")  # scripts with spaces, and no bracket [


class NumberedWords(dict[str, int]):
    """Numbers words in the order in which they are first asked for; any thread may ask.

    :ivar words: the word of every number
    """

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._lock = Lock()

    def __missing__(self, word: str) -> int:
        with self._lock:
            number = self.get(word)
            if number is None:
                number = len(self.words)
                self.words.append(word)
                self[word] = number
            return number


class SplitTexts(NamedTuple):
    """Several texts, and the words of those that are plain.

    :param plain: which texts are split, see :func:`is_plain`
    :param numbers: the number of every word of all plain texts, text after text
    :param sizes: how many words each plain text has
    :param memory: what gave the numbers
    """

    plain: Mask
    numbers: Indices
    sizes: Indices
    memory: NumberedWords


_memory = NumberedWords()


def split_texts(texts: Sequence[str]) -> SplitTexts:
    """Cut the plain ones of many texts into words; of few texts, none."""
    global _memory
    if len(_memory) > MOST:
        _memory = NumberedWords()
    memory, plain = _memory, list(map(is_plain, texts)) if len(texts) >= MANY else [False] * len(texts)
    words = f" {_END} ".join([*compress(texts, plain), ""]).split()
    numbers = np.fromiter(map(memory.__getitem__, words), dtype=np.int64, count=len(words))
    ends = np.flatnonzero(numbers == memory[_END])
    sizes = np.diff(ends, prepend=-1) - 1
    return SplitTexts(np.array(plain, dtype=bool), np.delete(numbers, ends), sizes, memory)


def is_plain(text: str) -> bool:
    """Tell whether a text is printable, in a script with spaces between words, and without brackets."""
    if not text.isprintable():
        return False
    return "[" not in text if text.isascii() else _SPACED.fullmatch(text) is not None
