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
_SIDE = np.uint32(1)
_HASH = np.uint64(64 - 25)
_NO_GRAM = np.uint32(0xFFFFFFFF)  # no key is greater
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
    if not len(candidates):
        return np.zeros((0, len(NAMES)))
    parts = [
        _stretch(candidates[begin : begin + _STRETCH], references[begin : begin + _STRETCH])
        for begin in range(0, len(candidates), _STRETCH)
    ]
    own, other = (Sizes(*np.concatenate([part[side] for part in parts], axis=1)) for side in (0, 1))
    letters, words = (np.concatenate([part[kind] for part in parts], axis=1) for kind in (2, 3))
    return surface_columns(own, other, list(letters), list(words))


def _stretch(candidates: Sequence[str], references: Sequence[str]) -> tuple[Sizes, Sizes, np.ndarray, np.ndarray]:
    """Return the sizes of the texts of some pairs, and how many n-grams of every length the pairs have in common."""
    pairs = len(candidates)
    cut = cut_texts([*candidates, *references])
    letters = _common(cut.letters, cut.sizes.letters, CHARACTERS)
    words = _common(cut.words, cut.sizes.words, WORDS)
    return cut.part(slice(pairs)), cut.part(slice(pairs, None)), letters, words


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
    joined = "\n".join([*texts, ""])  # a space behind every text
    lowered = joined.lower()
    codes, counts = _codes(joined), np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)) + 1
    if len(lowered) == len(joined):
        low_kinds = kinds = _KINDS.take(low_codes := _codes(lowered), mode="clip")
        low_counts = counts
    else:  # one capital letter becomes two characters
        low_codes, kinds = _codes(lowered), _KINDS.take(codes, mode="clip")
        low_kinds, low_counts = _KINDS.take(low_codes, mode="clip"), np.array([len(text.lower()) + 1 for text in texts])
    solid = kinds != _SPACE
    words, word_counts = _words(low_codes, low_kinds, low_counts)
    return CutTexts(codes[solid].astype(np.uint64), words, Sizes(_per_text(solid, counts), word_counts))


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


def _words(codes: np.ndarray, kinds: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a hash of every word and punctuation mark of all texts, and how many each text has.

    :param counts: how many characters each text has
    """
    inside, solid = kinds == _INSIDE, kinds != _SPACE
    opens = solid & ~(inside & np.append(False, inside[:-1]))
    starts = np.flatnonzero(opens[solid])
    if not len(starts):
        return np.zeros(0, np.uint64), np.zeros(len(counts), np.int64)
    letters = codes[solid].astype(np.uint64)
    place = np.arange(len(letters), dtype=np.uint64)
    place -= np.repeat(starts.astype(np.uint64), np.diff(starts, append=len(letters)))
    letters *= _BASE
    letters += place
    return np.add.reduceat(_mixed(letters), starts), _per_text(opens, counts)


def _codes(text: str) -> np.ndarray:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def _per_text(chosen: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Count the chosen characters of every text."""
    return np.diff(np.cumsum(chosen)[np.cumsum(counts) - 1], prepend=0)


def _grams(items: np.ndarray, counts: np.ndarray, longest: int) -> Iterator[Grams]:
    """Yield a hash of every n-gram and the text that it is of, for n from 1 to `longest`."""
    owner = np.repeat(np.arange(len(counts)), counts)
    left = np.repeat(np.cumsum(counts), counts) - np.arange(len(items))  # items from here to the text's end
    for n, hashes in enumerate(_hashes(items, longest), 1):
        whole = left[: len(hashes)] >= n
        yield hashes[whole], owner[: len(hashes)][whole]


def _hashes(items: np.ndarray, longest: int) -> Iterator[np.ndarray]:
    """Yield a hash of the n items from every place on, also beyond the end of a text, for n from 1 to `longest`."""
    rolling = np.zeros(len(items), np.uint64)
    for n in range(1, longest + 1):
        rolling = rolling[: max(len(items) - n + 1, 0)]
        rolling *= _BASE
        rolling += items[n - 1 :]
        hashes = _mixed(rolling)
        hashes *= _BASE
        hashes >>= _HASH
        yield hashes.astype(np.uint32)


def _common(items: np.ndarray, counts: np.ndarray, longest: int) -> np.ndarray:
    """Count the n-grams that the two texts of each pair have in common, as multisets: one row per length.

    :param counts: how many items each text has: those of the candidates, then those of the references
    """
    pairs = len(counts) // 2
    number = np.arange(pairs, dtype=np.uint32) << _OWNER
    owner = np.repeat(np.concatenate([number, number | _SIDE]), counts)
    ends, beyond = np.cumsum(counts), np.zeros(0, np.int64)  # places from which an n-gram goes beyond its text's end
    common = np.zeros((longest, pairs))
    for row, keys in enumerate(_hashes(items, longest)):
        keys <<= _SIDE
        keys |= owner[: len(keys)]
        if row:
            beyond = np.concatenate([beyond, (ends - row)[counts >= row]])
        across = beyond[beyond < len(keys)]
        keys[across] = _NO_GRAM
        keys.sort()
        common[row] = _common_keys(keys[: len(keys) - len(across)], pairs)
    return common


def _common_keys(keys: np.ndarray, pairs: int) -> np.ndarray:
    """Count the n-grams that the two texts of each pair have in common, given sorted keys.

    The keys of an n-gram differ in the last bit only, which is the text's side, so they stand together.
    """
    starts = np.concatenate([[0], np.flatnonzero(keys[1:] != keys[:-1]) + 1])[: len(keys)]
    found, sizes = keys[starts], np.append(starts[1:], len(keys)) - starts
    both = np.flatnonzero((found[1:] ^ found[:-1]) == _SIDE)
    common = np.minimum(sizes[both], sizes[both + 1])
    return np.bincount(found[both] >> _OWNER, weights=common, minlength=pairs)


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
    mixed: np.ndarray = values >> np.uint64(31)
    mixed ^= values
    mixed *= _MIX
    mixed ^= mixed >> np.uint64(29)
    return mixed


_SPACE, _MARK, _INSIDE = range(3)  # white space, a punctuation mark, a character inside a word
_SPACES = (*range(9, 14), *range(28, 33), 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F)


def _kinds() -> np.ndarray:
    """Tell the kind of every character up to U+3000, the last white space; the last entry stands for all others."""
    kinds = np.full(0x3002, _INSIDE, dtype=np.uint8)
    kinds[[code for code in range(128) if not chr(code).isalnum()]] = _MARK
    kinds[[*_SPACES, 0x3000]] = _SPACE
    return kinds


_KINDS = _kinds()
