"""N-grams of the characters and of the words of texts, and how many of them two texts have in common.

N-grams are compared as multisets of hashes: a batch has one sorted row per pair and length of n-grams, and no Python
loop runs over characters. Pairs of about the same length are counted together, so that little of a row is empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import add
from typing import NamedTuple, TypeAlias

import numpy as np

from farthing.core.arrays import Indices, Mask
from farthing.core.workspace import Workspace, workspace

Grams: TypeAlias = tuple[np.ndarray, np.ndarray]  #: hashes of n-grams of one length, and the text that each is of

CHARACTERS = 6  #: the longest n-gram of characters
WORDS = 4  #: the longest n-gram of words
_BASE = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)
_CELLS = 1 << 15  # characters at a time: few enough for the processor's cache
_HASH = np.uint64(64 - 25)
_SIDE = np.uint32(1)  # the last bit of a key tells the text; the others are the hash of an n-gram
_NO_GRAM = np.uint32(0xFFFFFFFF)  # no key is greater
FREE_BITS = 32 - 25  #: of a hash of 32 bits


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


class CommonGrams(NamedTuple):
    """The sizes of the texts of pairs, and how many n-grams each pair has in common: one row per length of n-grams."""

    own: Sizes
    other: Sizes
    letters: np.ndarray
    words: np.ndarray


def common_of_pairs(candidates: Sequence[str], references: Sequence[str]) -> CommonGrams:
    """Count the n-grams that the two texts of each pair have in common; there is at least one pair."""
    sizes = np.fromiter(map(len, map(add, candidates, references)), dtype=np.int64, count=len(candidates))
    ascii_only = np.array([one.isascii() and two.isascii() for one, two in zip(candidates, references, strict=True)])
    order, begin, parts, memory = np.lexsort((-sizes, ascii_only)), 0, [], workspace("n-grams")
    while begin < len(order):
        rows = order[begin : begin + max(1, _CELLS // (int(sizes[order[begin]]) + 1))].tolist()
        parts.append(_stretch([text for row in rows for text in (candidates[row], references[row])], memory))
        begin += len(rows)
    back = np.argsort(order)
    own, other = (Sizes(*np.concatenate([part[side] for part in parts], axis=1)[:, back]) for side in (0, 1))
    letters, words = (np.concatenate([part[kind] for part in parts], axis=1)[:, back] for kind in (2, 3))
    return CommonGrams(own, other, letters, words)


def _stretch(texts: Sequence[str], memory: Workspace) -> CommonGrams:
    """Count the n-grams of some pairs, whose texts stand one behind the other."""
    cut = cut_texts(texts)
    letters = _common(cut.letters, cut.sizes.letters, CHARACTERS, memory)
    words = _common(cut.words, cut.sizes.words, WORDS, memory)
    return CommonGrams(cut.part(slice(0, None, 2)), cut.part(slice(1, None, 2)), letters, words)


def cut_texts(texts: Sequence[str]) -> CutTexts:
    """Cut texts into characters, without spaces, and into words, without case."""
    joined = "\n".join([*texts, ""])  # a space behind every text
    lowered = joined.lower()
    codes, counts = _codes(joined), np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)) + 1
    low_codes, low_kinds = _codes(lowered), _kinds_of(lowered)
    if len(lowered) == len(joined):
        kinds, low_counts = low_kinds, counts
    else:  # one capital letter becomes two characters
        kinds, low_counts = _kinds_of(joined), np.array([len(text.lower()) + 1 for text in texts])
    solid = np.flatnonzero(kinds != _SPACE)
    low_solid = solid if kinds is low_kinds else np.flatnonzero(low_kinds != _SPACE)
    words, word_counts = _words(low_codes, low_kinds, low_solid, low_counts)
    return CutTexts(codes.take(solid).astype(np.uint64), words, Sizes(_per_text(solid, counts), word_counts))


def _words(codes: np.ndarray, kinds: np.ndarray, solid: Indices, counts: Indices) -> tuple[np.ndarray, Indices]:
    """Return a hash of every word and punctuation mark of all texts, and how many each text has.

    :param solid: the places of all characters that are no white space
    :param counts: how many characters each text has
    """
    opens = kinds != _SPACE
    inside = kinds == _INSIDE
    opens[1:] &= ~(inside[1:] & inside[:-1])
    starts = np.flatnonzero(opens.take(solid))
    if not len(starts):
        return np.zeros(0, np.uint64), np.zeros(len(counts), np.int64)
    letters = codes.take(solid).astype(np.uint64)
    place = np.arange(len(letters), dtype=np.uint64)
    place -= np.repeat(starts.astype(np.uint64), np.diff(starts, append=len(letters)))
    letters *= _BASE
    letters += place
    mixed = _mixed(letters, np.empty_like(letters), np.empty_like(letters))
    return np.add.reduceat(mixed, starts), _per_text(solid.take(starts), counts)


def _codes(text: str) -> np.ndarray:
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), dtype=np.uint8)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def _kinds_of(text: str) -> np.ndarray:
    if text.isascii():
        return np.frombuffer(text.encode("ascii").translate(_ASCII_KINDS), dtype=np.uint8)
    return _KINDS.take(_codes(text), mode="clip")


def _per_text(places: Indices, counts: Indices) -> Indices:
    """Count the places, in rising order, that are in each text."""
    sizes: Indices = np.diff(np.searchsorted(places, np.cumsum(counts)), prepend=0)
    return sizes


def _grams(items: np.ndarray, counts: np.ndarray, longest: int) -> Iterator[Grams]:
    """Yield a hash of every n-gram and the text that it is of, for n from 1 to `longest`."""
    owner = np.repeat(np.arange(len(counts)), counts)
    left = np.repeat(np.cumsum(counts), counts) - np.arange(len(items))  # items from here to the text's end
    for n, hashes in enumerate(_hashes(items, longest, Workspace()), 1):
        whole = left[: len(hashes)] >= n
        yield hashes[whole].astype(np.uint32), owner[: len(hashes)][whole]


def _hashes(items: np.ndarray, longest: int, memory: Workspace) -> Iterator[np.ndarray]:
    """Yield a hash of the n items from every place on, also beyond the end of a text, for n from 1 to `longest`.

    Each array is valid until the next one is asked for.
    """
    rolling, mixed, spare = (memory.array(name, items.shape, np.uint64) for name in ("rolling", "mixed", "spare"))
    rolling[:] = 0
    for n in range(1, longest + 1):
        size = max(len(items) - n + 1, 0)
        rolling = rolling[:size]
        rolling *= _BASE
        rolling += items[n - 1 :]
        hashes = _mixed(rolling, mixed[:size], spare[:size])
        hashes *= _BASE
        hashes >>= _HASH
        yield hashes


def _mixed(values: np.ndarray, mixed: np.ndarray, spare: np.ndarray) -> np.ndarray:
    """Spread the information of 64-bit numbers over all their bits."""
    np.right_shift(values, np.uint64(31), out=mixed)
    mixed ^= values
    mixed *= _MIX
    np.right_shift(mixed, np.uint64(29), out=spare)
    mixed ^= spare
    return mixed


def _common(items: np.ndarray, counts: Indices, longest: int, memory: Workspace) -> np.ndarray:
    """Count the n-grams that the two texts of each pair have in common, as multisets: one row per length.

    :param counts: how many items each text has; the texts of a pair stand one behind the other
    """
    keys = _keys(items, counts.reshape(-1, 2), longest, memory)
    keys.sort(axis=-1)
    return _common_keys(keys, memory)


def _keys(items: np.ndarray, counts: Indices, longest: int, memory: Workspace) -> np.ndarray:
    """Return the keys of all n-grams: lengths by pairs by places; the last place of a row has none.

    :param counts: how many items the two texts of each pair have
    """
    width = int(counts.sum(axis=1).max()) + 1
    ends = np.cumsum(counts, axis=1)  # of the two texts of a row
    places, inside = np.arange(width), np.arange(width) < ends[:, 1:]
    side = np.where(inside, places >= ends[:, :1], _NO_GRAM).astype(np.uint32).ravel()
    rows = np.zeros(inside.shape, np.uint64)
    rows[inside] = items
    ends += np.arange(len(ends))[:, None] * width
    keys = memory.array("keys", (longest, len(side)), np.uint32)
    for n, hashes in enumerate(_hashes(rows.ravel(), longest, memory)):
        if n:  # from one more place, an n-gram goes beyond its text's end
            side[(ends - n)[counts >= n]] = _NO_GRAM
        here = keys[n, : len(hashes)]
        here[...] = hashes
        here <<= _SIDE
        here |= side[: len(hashes)]
        keys[n, len(hashes) :] = _NO_GRAM
    return keys.reshape(longest, *inside.shape)


def _common_keys(keys: np.ndarray, memory: Workspace) -> np.ndarray:
    """Count the n-grams that the two texts of each pair have in common, as multisets.

    The keys of an n-gram differ in the last bit only, which is the text's side, so those of the candidate and those of
    the reference are neighbours: they meet at one place. They have one n-gram in common, and as many more as the key
    comes again on both sides of that place.

    :param keys: lengths by pairs by places, the last axis sorted
    """
    change = memory.array("change", (keys.size,), np.uint32)  # from one key to the next; no two rows share an n-gram
    np.bitwise_xor(keys.ravel()[1:], keys.ravel()[:-1], out=change[:-1])
    change[-1] = _NO_GRAM
    common: np.ndarray = (change == _SIDE).reshape(keys.shape).sum(axis=-1, dtype=np.uint32).astype(np.int64)
    begins, ends = _runs(change == 0)
    both = np.flatnonzero((change[ends[:-1]] == _SIDE) & (begins[1:] == ends[:-1] + 1))
    sizes = ends - begins
    rows = ends[both] // keys.shape[-1]
    more = np.bincount(rows, np.minimum(sizes[both], sizes[both + 1]), minlength=common.size)
    common += more.astype(np.int64).reshape(common.shape)
    return common


def _runs(chosen: Mask) -> tuple[Indices, Indices]:
    """Return where runs of chosen places begin, and the place behind each; the last place is not chosen."""
    edges = np.flatnonzero(chosen[1:] != chosen[:-1]) + 1
    edges = np.concatenate([[0], edges]) if len(chosen) and chosen[0] else edges
    return edges[::2], edges[1::2]


_SPACE, _MARK, _INSIDE = range(3)  # white space, a punctuation mark, a character inside a word
_SPACES = (*range(9, 14), *range(28, 33), 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F)


def _kinds() -> np.ndarray:
    """Tell the kind of every character up to U+3000, the last white space; the last entry stands for all others."""
    kinds = np.full(0x3002, _INSIDE, dtype=np.uint8)
    kinds[[code for code in range(128) if not chr(code).isalnum()]] = _MARK
    kinds[[*_SPACES, 0x3000]] = _SPACE
    return kinds


_KINDS = _kinds()
_ASCII_KINDS = _KINDS[:256].tobytes()
