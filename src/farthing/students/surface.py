"""What two texts share on the surface: n-grams of characters, n-grams of words, lengths. Numpy over whole batches.

Every feature is a difference: 0 for equal texts, up to 1 (or the logarithm of a ratio) for texts that share
nothing. N-grams are counted in :mod:`farthing.students.grams`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from farthing.core.arrays import Mask, Matrix, Segments
from farthing.students.grams import CHARACTERS, WORDS, Sizes, common_of_pairs

NAMES = (
    *(f"{side} of {n} characters" for n in range(1, CHARACTERS + 1) for side in ("precision", "recall")),
    *(f"{side} of {n} words" for n in range(1, WORDS + 1) for side in ("precision", "recall")),
    "chrF",
    "F of words",
    "characters",
    "characters, absolute",
    "words",
    "words, absolute",
)
CHRF = NAMES.index("chrF")
LEAST_LOSS = 0.01  #: points that texts lose at least if they are not equal: what two digits can show


@dataclass(frozen=True, slots=True)
class CharacterScale:
    """A student's scale for texts that it cannot read: equal texts at 100, and the n-grams of characters decide.

    :param far: the share of n-grams that unrelated texts do not have in common (1 - chrF); it reads as 0
    :param power: how steeply the score falls on the way there
    """

    far: float
    power: float

    def scores(self, gaps: Matrix) -> Segments:
        """Return one score per row of surface features."""
        return self.scores_of(gaps[:, CHRF])

    def scores_of(self, shares: Segments) -> Segments:
        """Return one score per share of n-grams that two texts do not have in common."""
        values: Segments = 100 * (1 - (shares / self.far) ** self.power)
        return values


def most_of_unequal(gaps: Matrix, alike: Mask) -> Segments:
    """Return the most that each pair of unequal texts can score, so that no such pair reads as 100 with two digits.

    :param alike: pairs whose tokens are the same, since students do not see capitals and accents. The share of n-grams
        in which such texts differ is taken off, in points.
    """
    most: Segments = 100 - np.maximum(np.where(alike, gaps[:, CHRF], 0.0), LEAST_LOSS)
    return most


def surface_gaps(candidates: Sequence[str], references: Sequence[str]) -> np.ndarray:
    """Return the features of every pair: one row per pair, one column per name of :data:`NAMES`.

    >>> surface_gaps(["the cat"], ["the cat"]).any()
    np.False_
    """
    if not len(candidates):
        return np.zeros((0, len(NAMES)))
    own, other, letters, words = common_of_pairs(candidates, references)
    return surface_columns(own, other, list(letters), list(words))


def surface_columns(
    own: Sizes, other: Sizes, common_letters: Sequence[np.ndarray], common_words: Sequence[np.ndarray]
) -> np.ndarray:
    """Return the features of pairs, one per name of :data:`NAMES` along the last axis.

    :param own: the sizes of the candidates; their shape and that of the references' sizes are broadcast
    :param common_letters: how many n-grams of characters a pair has in common, one array per length
    """
    by_letters = _shared(common_letters, own.letters, other.letters)
    by_words = _shared(common_words, own.words, other.words)
    columns = [
        *by_letters,
        *by_words,
        _harmonic(by_letters, recall_weight=4.0),
        _harmonic(by_words, recall_weight=1.0),
        *_lengths(own.letters, other.letters),
        *_lengths(own.words, other.words),
    ]
    return np.stack(columns, axis=-1)


def _shared(common: Sequence[np.ndarray], own: np.ndarray, other: np.ndarray) -> list[np.ndarray]:
    """Return what share of the candidate's n-grams the reference lacks, then the reverse, for every length."""
    columns = []
    for n, shared in enumerate(common):
        ours, theirs = np.maximum(own - n, 0), np.maximum(other - n, 0)
        columns += [_missing(shared, ours, theirs), _missing(shared, theirs, ours)]
    return columns


def _missing(common: np.ndarray, own: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the share of one text's own n-grams that is not common; if it has none, 0 if the other has none either."""
    missing: np.ndarray = 1.0 - common / np.maximum(own, 1)
    return np.where((own == 0) & (other == 0), 0.0, missing)


def _harmonic(columns: Sequence[np.ndarray], recall_weight: float) -> np.ndarray:
    """Return one minus the weighted F of the mean precision and the mean recall."""
    precision, recall = 1 - np.mean(columns[::2], axis=0), 1 - np.mean(columns[1::2], axis=0)
    total = recall_weight * precision + recall
    share = np.divide((1 + recall_weight) * precision * recall, total, out=np.zeros(total.shape), where=total > 0)
    result: np.ndarray = 1.0 - share
    return result


def _lengths(own: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the logarithm of the ratio of lengths, and its absolute value."""
    ratio = np.log(own + 1.0) - np.log(other + 1.0)
    return ratio, np.abs(ratio)
