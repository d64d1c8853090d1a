"""The differences of every candidate and every reference of a list, each text read once: for choosing among many.

The numbers are those of :mod:`farthing.students.match` and :mod:`farthing.students.surface`. Tokens are matched by
products of whole lists. N-grams are counted by products, too: the k-th occurrence of an n-gram in a text has a column
of its own, so the multisets of two texts have as many n-grams in common as their rows have columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import TypeAlias

import numpy as np

from farthing.align.crossed import Bundle, crossed_means
from farthing.core.arrays import Indices, Mask, Matrix, Segments
from farthing.core.nbest import NBest, crossed_pairs, crossed_rows_with
from farthing.encoders.backends.token_texts import Tokens
from farthing.students.case_gap import CASE_FEATURES, Profile
from farthing.students.edit_gap import EDIT_FEATURES, EditProfile
from farthing.students.grams import FREE_BITS, Grams, Sizes, cut_texts
from farthing.students.head import GAPS, SIDES, Differences, harmonic_gap
from farthing.students.language_gap import CrossedLanguages
from farthing.students.layout import CASE, EDITS, LANGUAGES, ORDER, SURFACE
from farthing.students.match import MatchStudent
from farthing.students.order_gap import ORDER_FEATURES, Neighbours
from farthing.students.student import PairScores
from farthing.students.surface import surface_columns
from farthing.students.texts import ReadTexts
from farthing.students.word_gaps import CrossedWords
from farthing.text.words import composed

PAIRS = 1 << 12  # pairs whose features are in memory at a time
MOST_CELLS = 1 << 26  # similarities of tokens in memory at a time
_COLUMNS = 1 << 13  # n-grams in one product


def crossed_scores(student: MatchStudent, lists: Sequence[NBest]) -> PairScores:
    """Score every candidate against every reference of its list: list after list, candidate after candidate.

    A student that compares with sources scores pair by pair, and so do all if texts are long: whole lists of such
    texts would need too much memory.
    """
    if student.against == "source":
        [scored] = student.score_systems([crossed_pairs(lists)])
        return scored
    lists = [
        replace(one, candidates=list(map(composed, one.candidates)), references=list(map(composed, one.references)))
        for one in lists
    ]
    texts = student.read(chain(*(one.candidates for one in lists), *(one.references for one in lists)))
    texts = student.with_languages(texts)
    if any(_cells(one, texts) > MOST_CELLS for one in lists):
        scored = student.scores(crossed_pairs(lists), texts)
    else:
        scored = _all_scores(student, lists, texts)
    return scored._replace(notes=student.notes(texts, partial(crossed_rows_with, lists)))


def _all_scores(student: MatchStudent, lists: Sequence[NBest], texts: ReadTexts) -> PairScores:
    """Score lists, each as a whole; precision and recall are parts, as for single pairs."""
    scores: list[Segments] = []
    parts: dict[str, list[Segments]] = {side: [] for side in SIDES}
    for one in lists:
        for found, unread in crossed_differences(one, texts, student.features):
            scores.append(student.judged(found, unread))
            for side, values in parts.items():
                values.append(100 * (1 - found.features[:, GAPS.index(side)]))
    return PairScores(np.concatenate(scores), (), {side: np.concatenate(values) for side, values in parts.items()})


def _cells(one: NBest, texts: ReadTexts) -> int:
    """Count the similarities of the tokens of the longest candidate with those of all references."""
    ours, theirs = (
        [len(tokens.weights) for text in side if (tokens := texts.tokens[text])]
        for side in (one.candidates, one.references)
    )
    return max(ours, default=0) * sum(theirs)


def crossed_differences(
    one: NBest, texts: ReadTexts, features: Sequence[str] = (SURFACE,)
) -> Iterator[tuple[Differences, Mask]]:
    """Yield how all pairs differ, some candidates at a time, and which of them have tokens that cannot be read.

    :param features: the groups of columns, as a student's folder tells them
    """
    ours = [texts.tokens[text] for text in one.candidates]
    theirs = ours if one.references == one.candidates else [texts.tokens[text] for text in one.references]
    aligned, groups = crossed_token_gaps(ours, theirs), _groups(one, features)
    empty, other_empty = (np.array([tokens is None for tokens in side]) for side in (ours, theirs))
    lost: Mask = empty[:, None] != other_empty
    foreign, other_foreign = (
        np.array([text in texts.foreign for text in side]) for side in (one.candidates, one.references)
    )
    unread: Mask = (foreign[:, None] | other_foreign) & ~empty[:, None] & ~other_empty
    equal = _equal(one.candidates, one.references)
    aligned[lost] = 1.0  # nothing of the one is near anything of the other
    aligned[equal] = 0.0  # equal texts do not differ, not even by a rounding error
    size = max(1, PAIRS // len(theirs))
    for begin in range(0, len(ours), size):
        rows = slice(begin, begin + size)
        columns = np.concatenate([aligned[rows], *(group.gaps(rows) for group in groups)], axis=2)
        flat = columns.reshape(-1, columns.shape[2])
        yield Differences(flat, lost[rows].ravel(), equal[rows].ravel()), unread[rows].ravel()


#: Some columns of all pairs.
CrossedGroup: TypeAlias = (
    "CrossedSurface | CrossedLanguages | CrossedWords[Neighbours] | CrossedWords[Profile] | CrossedWords[EditProfile]"
)


def _groups(one: NBest, features: Sequence[str]) -> list[CrossedGroup]:
    groups: list[CrossedGroup] = [CrossedSurface(one.candidates, one.references)]
    if LANGUAGES in features:
        groups.append(CrossedLanguages(one.candidates, one.references))
    if ORDER in features:
        groups.append(ORDER_FEATURES.crossed(one.candidates, one.references))
    if CASE in features:
        groups.append(CASE_FEATURES.crossed(one.candidates, one.references))
    if EDITS in features:
        groups.append(EDIT_FEATURES.crossed(one.candidates, one.references))
    return groups


def _equal(candidates: Sequence[str], references: Sequence[str]) -> Mask:
    """Tell which texts are equal up to white space."""
    ours, theirs = ([" ".join(text.split()) for text in side] for side in (candidates, references))
    numbers = {text: number for number, text in enumerate(dict.fromkeys([*ours, *theirs]))}
    equal: Mask = np.equal.outer([numbers[text] for text in ours], [numbers[text] for text in theirs])
    return equal


def crossed_token_gaps(ours: Sequence[Tokens | None], theirs: Sequence[Tokens | None]) -> Matrix:
    """Return the differences of aligned tokens: candidates by references by :data:`GAPS`; 0 if a text has no token."""
    gaps = np.zeros((len(ours), len(theirs), len(GAPS)))
    rows, columns = (np.flatnonzero([one is not None for one in side]) for side in (ours, theirs))
    if not len(rows) or not len(columns):
        return gaps
    first = _bundle(ours)
    second = first if theirs is ours else _bundle(theirs)
    (precision, recall), (squares, back_squares) = crossed_means(first, second, _gap, lambda near: _gap(near) ** 2)
    means = first.pooled()
    pooled = means @ (means if second is first else second.pooled()).T
    harmonic = harmonic_gap(precision, recall)
    spread = [np.sqrt(one + 1e-8) - 1e-4 for one in (squares, back_squares)]
    gaps[np.ix_(rows, columns)] = np.stack([precision, recall, harmonic, *spread, 1 - pooled], axis=-1)
    return gaps


def _gap(near: Matrix) -> Matrix:
    gap: Matrix = np.maximum(1.0 - near, 0)
    return gap


def _bundle(texts: Sequence[Tokens | None]) -> Bundle:
    some = [tokens for tokens in texts if tokens is not None]
    return Bundle.of([tokens.vectors for tokens in some], [tokens.weights for tokens in some], np.float64)


class CrossedSurface:
    """What all candidates and all references of a list share on the surface."""

    def __init__(self, candidates: Sequence[str], references: Sequence[str]) -> None:
        same = references == candidates
        cut = cut_texts(candidates if same else [*candidates, *references])
        ours, theirs = slice(len(candidates)), slice(0 if same else len(candidates), None)
        self.own, self.other = cut.part(ours), cut.part(theirs)
        count = len(self.other.letters) + theirs.start
        self.common = [[common_grams(grams, count, ours, theirs) for grams in kind] for kind in cut.grams()]

    def gaps(self, rows: slice) -> Matrix:
        """Return the features of some candidates with all references, one per name along the last axis."""
        own = Sizes(*(sizes[rows, None] for sizes in self.own))
        letters, words = ([shared[rows] for shared in kind] for kind in self.common)
        return surface_columns(own, self.other, letters, words)


def common_grams(grams: Grams, count: int, ours: slice, theirs: slice) -> Matrix:
    """Count the n-grams that some of `count` texts have in common with some others, as multisets.

    What a text has in common with itself is not counted.
    """
    owner, column = _occurrences(*grams, count)
    columns = int(column.max()) + 1 if len(column) else 0
    common = np.zeros((count, count), np.float32)[ours, theirs]
    for begin in range(0, columns, _COLUMNS):
        here = slice(None) if columns <= _COLUMNS else (column >= begin) & (column < begin + _COLUMNS)
        table = np.zeros((count, min(_COLUMNS, columns - begin)), np.float32)
        table[owner[here], column[here] - begin] = 1
        common += table[ours] @ table[theirs].T
    return common


def _occurrences(hashes: Indices, owner: Indices, count: int) -> tuple[Indices, Indices]:
    """Return the text and the column of each occurrence of an n-gram; columns of one text only are left out.

    Two occurrences in different texts have the same column if they have the same number in their texts.
    """
    bits = count.bit_length()
    kind = np.dtype(np.uint32 if bits <= FREE_BITS else np.uint64)  # the smaller kind is sorted faster
    keys: np.ndarray = hashes.astype(kind) << bits | owner.astype(kind)
    keys.sort()
    places = np.arange(len(keys))
    owner, gram = (keys & ((1 << bits) - 1)).astype(np.int64), keys >> bits
    number = places - np.maximum.accumulate(np.where(_changes(keys), places, 0))
    start = np.maximum.accumulate(np.where(_changes(gram), places, 0))
    column = start + number  # no column of another n-gram: the n-th occurrence is at most the n-th entry of its n-gram
    shared = np.bincount(column, minlength=len(keys)) > 1
    kept = shared[column]
    return owner[kept], (np.cumsum(shared) - 1)[column[kept]]


def _changes(values: Indices) -> Mask:
    """Tell which entries differ from the one before; the first one does."""
    changes = np.ones(len(values), dtype=bool)
    changes[1:] = values[1:] != values[:-1]
    return changes
