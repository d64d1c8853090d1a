"""How much of what two texts share stands in another order: a feature that means the same in every language.

How many words two texts share depends on the language: a Russian word has a dozen forms, an English one two or three.
How much of what they share was moved does not. The feature is 0 for equal texts, and for texts that share nothing.

order  neighbours of the candidate that the reference has, too, but not beside each other, per unit of the longer text
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from farthing.core.arrays import Matrix
from farthing.students.word_gaps import WordFeatures
from farthing.text.units import keys_of

NAMES = ("order",)


class Neighbours(NamedTuple):
    """How often each unit of a text occurs in it, and each two neighbours; and how many units it has."""

    single: Counter[str]
    beside: Counter[tuple[str, str]]
    units: int


def neighbours_of(text: str) -> Neighbours:
    """Read the units of a text: words, or characters of scripts without spaces; punctuation does not count."""
    found = [unit for unit in keys_of(text) if unit[0].isalnum()]
    return Neighbours(Counter(found), Counter(pairwise(found)), len(found))


def order_gap(own: Neighbours, other: Neighbours) -> tuple[float]:
    """Return the feature of two texts."""
    shared = (own.single & other.single).total()
    if shared < 2:
        return (0.0,)
    neighbours = Counter({two: n for two, n in own.beside.items() if other.single[two[0]] and other.single[two[1]]})
    moved = neighbours.total() - (neighbours & other.beside).total()
    return (moved / max(own.units, other.units),)


ORDER_FEATURES = WordFeatures(NAMES, neighbours_of, order_gap)


def order_gaps(candidates: Sequence[str], others: Sequence[str]) -> Matrix:
    """Return the feature of every pair: one row per pair.

    >>> order_gaps(["the man bit the dog", "the dog bit a man"], ["the dog bit the man"] * 2)[:, 0].tolist()
    [0.2, 0.0]
    """
    return ORDER_FEATURES.pairs(candidates, others)
