"""What two texts share on the surface: n-grams of characters, n-grams of words, lengths. Numpy over whole batches.

Every feature is a difference: 0 for equal texts, up to 1 (or the logarithm of a ratio) for texts that share
nothing. N-grams are compared as multisets of hashes, so that a batch is a few sorted arrays and no Python loop
runs over characters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from farthing.core.arrays import Mask, Matrix, Segments

Grams: TypeAlias = tuple[np.ndarray, np.ndarray]  #: hashes of n-grams of one length, and the text that each is of

CHARACTERS = 6  #: the longest n-gram of characters
WORDS = 4  #: the longest n-gram of words
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
_BASE = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)
# A sorted key has 32 bits, which sort twice as fast as 64 bits: 6 for the pair, 25 of the hash, 1 for the side.
_STRETCH = 64  # pairs per batch
_OWNER = np.uint32(26)
_HASH = np.uint64(64 - 25)
FREE_BITS = 32 - 25  #: of a hash of 32 bits


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
    parts = [
        _stretch(candidates[begin : begin + _STRETCH], references[begin : begin + _STRETCH])
        for begin in range(0, len(candidates), _STRETCH)
    ]
    return np.concatenate(parts) if parts else np.zeros((0, len(NAMES)))


def _stretch(candidates: Sequence[str], references: Sequence[str]) -> np.ndarray:
    pairs = len(candidates)
    cut = cut_texts([*candidates, *references])
    common = [[_common(hashes, owner, pairs) for hashes, owner in grams] for grams in cut.grams()]
    return surface_columns(cut.part(slice(pairs)), cut.part(slice(pairs, None)), *common)


class Sizes(NamedTuple):
    """How many characters and how many words some texts have, in arrays of any shape."""

    letters: np.ndarray
    words: np.ndarray


class CutTexts(NamedTuple):
    """Texts as one array of code points and one of hashes of words, and how many of them each text has."""

    letters: np.ndarray
    words: np.ndarray
    sizes: Sizes

    def grams(self) -> tuple[Iterator[Grams], Iterator[Grams]]:
        """Return the n-grams of characters and those of words, from the shortest to the longest."""
        letters, words = (
            _grams(self.letters, self.sizes.letters, CHARACTERS),
            _grams(self.words, self.sizes.words, WORDS),
        )
        return letters, words

    def part(self, texts: slice) -> Sizes:
        """Return the sizes of some of the texts."""
        return Sizes(self.sizes.letters[texts], self.sizes.words[texts])


def cut_texts(texts: Sequence[str]) -> CutTexts:
    """Cut texts into characters, without spaces, and into words, without case."""
    letters, letter_counts = _letters(["".join(text.split()) for text in texts])
    words, word_counts = _words([" ".join(text.lower().split()) for text in texts])
    return CutTexts(letters, words, Sizes(letter_counts, word_counts))


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


def _letters(texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return the code points of all texts in one array, and how many each text has."""
    codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.uint64)
    return codes, np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))


def _words(texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return a hash of every word and punctuation mark of all texts, and how many each text has."""
    codes, counts = _letters([f" {text}" for text in texts])  # the space separates each text from the one before
    owner = np.repeat(np.arange(len(texts)), counts)
    space = codes == 32
    inside = _ALPHANUMERIC[np.minimum(codes, 128)]
    opens = ~space
    opens[1:] &= ~(inside[1:] & inside[:-1])
    starts = np.flatnonzero(opens)
    if not len(starts):
        return np.zeros(0, np.uint64), np.zeros(len(texts), np.int64)
    positions = np.arange(len(codes), dtype=np.int64)
    place = positions - np.maximum.accumulate(np.where(opens, positions, 0))
    values = _mixed(codes * _BASE + place.astype(np.uint64))
    values[space] = 0
    return np.add.reduceat(values, starts), np.bincount(owner[starts], minlength=len(texts))


def _grams(items: np.ndarray, counts: np.ndarray, longest: int) -> Iterator[Grams]:
    """Yield a hash of every n-gram and the text that it is of, for n from 1 to `longest`."""
    owner = np.repeat(np.arange(len(counts)), counts)
    left = np.repeat(np.cumsum(counts), counts) - np.arange(len(items))  # items from here to the text's end
    rolling = np.zeros(len(items), np.uint64)
    for n in range(1, longest + 1):
        size = max(len(items) - n + 1, 0)
        rolling = rolling[:size] * _BASE + items[n - 1 :]
        whole = left[:size] >= n
        yield (_mixed(rolling[whole]) * _BASE >> _HASH).astype(np.uint32), owner[:size][whole]


def _common(hashes: np.ndarray, owner: np.ndarray, pairs: int) -> np.ndarray:
    """Count the n-grams that the two texts of each pair have in common, as multisets."""
    if not len(hashes):
        return np.zeros(pairs)
    keys = (owner % pairs).astype(np.uint32) << _OWNER
    keys |= hashes << np.uint32(1)
    keys |= (owner >= pairs).astype(np.uint32)
    keys.sort()
    same = keys >> np.uint32(1)
    starts = np.flatnonzero(np.concatenate([[True], same[1:] != same[:-1]]))
    sizes = np.diff(np.append(starts, len(keys)))
    theirs = np.add.reduceat(keys & np.uint32(1), starts, dtype=np.int64)
    common = np.minimum(theirs, sizes - theirs)
    return np.bincount((keys[starts] >> _OWNER).astype(np.int64), weights=common, minlength=pairs)


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


def _mixed(values: np.ndarray) -> np.ndarray:
    """Spread the information of 64-bit numbers over all their bits."""
    mixed: np.ndarray = (values ^ (values >> np.uint64(31))) * _MIX
    mixed ^= mixed >> np.uint64(29)
    return mixed


def _alphanumeric() -> np.ndarray:
    """Tell which ASCII codes belong inside a word; the last entry stands for all others."""
    return np.array([chr(code).isalnum() for code in range(128)] + [True])


_ALPHANUMERIC = _alphanumeric()
