"""Letter trigrams of words, and a table of how much each of them speaks for which language.

The table (`languages.safetensors`, made by `recipes/language_table.py`) has one row per bucket of hashed trigrams and
one column per language.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from farthing.core.arrays import Indices, Mask
from farthing.text.words import composed

BUCKETS = 4096
TABLE = Path(__file__).with_name("languages.safetensors")
UNIT = 24.0  #: a step of the table's bytes is 1/24 of a nat
_SPACE, _LETTER, _MARK, _NO_WORD = range(4)  # what a character does to the word that it is in
_MARKS = frozenset("'’‘`´\"“”„«»‹›.,;:!?()-–—…¿¡")


class Trigrams(NamedTuple):
    """The trigrams of several texts: a bucket for each, and where those of each text start and the last ones end."""

    buckets: Indices
    bounds: Indices
    opens: Mask  #: whether a trigram is the first one of a word


def trigrams(texts: Sequence[str]) -> Trigrams:
    """Cut the words of texts into trigrams, each word with a space before and behind it.

    Words with capitals, digits or signs are left out: they are names, numbers, code or addresses. A text that has only
    capitals is read as if it had none.
    """
    plain = (text if text.isascii() else composed(text) for text in texts)
    return word_trigrams([text.lower() if text.isupper() else text for text in plain])


def word_trigrams(texts: Sequence[str]) -> Trigrams:
    """Return the same for texts in the form NFC, without a look at the capitals of whole texts."""
    letters = np.frombuffer(("\n".join(texts) + "\n").encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    ends = np.cumsum(np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)) + 1)
    kinds = _kinds().take(letters, mode="clip")
    word = np.cumsum(kinds == _SPACE)
    other = np.zeros(word[-1] + 1 if len(word) else 1, dtype=bool)
    other[word[kinds == _NO_WORD]] = True
    kept = (kinds == _LETTER) & ~other[word]
    padded = np.concatenate([np.zeros(1, np.uint32), np.where(kept, letters, np.uint32(0))])
    places = np.flatnonzero(kept)  # the last letter is a line break, so that each letter has one on either side
    before, middle, behind = padded[places], padded[places + 1], padded[places + 2]
    buckets = _hashed(before, middle, behind) % np.uint32(BUCKETS)
    return Trigrams(buckets.astype(np.int64), np.searchsorted(places, np.concatenate([[0], ends])), before == 0)


def _hashed(before: np.ndarray, middle: np.ndarray, behind: np.ndarray) -> np.ndarray:
    keys = (before * np.uint32(0x9E3779B1) + middle) * np.uint32(0x85EBCA6B) + behind
    keys ^= keys >> np.uint32(15)
    keys *= np.uint32(0x2C1B3C6D)
    mixed: np.ndarray = keys ^ (keys >> np.uint32(12))
    return mixed


@cache
def _kinds() -> np.ndarray:
    """Tell what each character up to the general punctuation does; the last entry stands for all others."""
    kinds = np.full(0x2041, _NO_WORD, dtype=np.uint8)
    for code in (*range(0x250), *range(0x1E00, 0x1F00), *range(0x2000, 0x2040)):
        character = chr(code)
        if character.isspace():
            kinds[code] = _SPACE
        elif character.islower():
            kinds[code] = _LETTER
        elif character in _MARKS:
            kinds[code] = _MARK
    return kinds


class TrigramTable(NamedTuple):
    """How much each trigram speaks for each language, in steps: whole numbers, whose sums are exact in any order."""

    languages: tuple[str, ...]
    steps: np.ndarray


@cache
def trigram_table() -> TrigramTable:
    """Read the table."""
    from safetensors.numpy import load_file

    [(languages, weights)] = load_file(TABLE).items()
    return TrigramTable(tuple(languages.split()), weights.astype(np.float32))


def sums_between(rows: np.ndarray, bounds: Indices) -> np.ndarray:
    """Add up the rows between every two bounds."""
    sums = np.zeros((len(bounds) - 1, rows.shape[1]), dtype=rows.dtype)
    some = np.diff(bounds) > 0
    if some.any():
        sums[some] = np.add.reduceat(rows, bounds[:-1][some], axis=0)
    return sums
