"""What a matching student computes from the tokens of two texts: how they differ, and the score that its head gives.

The differences are those of the aligned tokens (:func:`token_gaps`), those on the surface
(:mod:`farthing.students.surface`) and, for some students, those of the languages
(:mod:`farthing.students.language_gap`), of order (:mod:`farthing.students.order_gap`), of capitals and small words
(:mod:`farthing.students.case_gap`) or of single wrong words (:mod:`farthing.students.edit_gap`). The head turns them
into a number on a scale people can read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from farthing.core.arrays import Floats, Indices, Mask, Matrix, Segments, Vectors
from farthing.core.errors import ModelError
from farthing.core.progress import step
from farthing.core.workspace import Workspace, workspace
from farthing.encoders.backends.token_texts import Tokens, TokenTexts
from farthing.students.layout import CASE, EDITS, HEAD, LANGUAGES, ORDER, SURFACE, StudentFolder
from farthing.students.surface import CharacterScale, surface_gaps

SIDES = ("precision", "recall")  #: the two sides of an alignment
GAPS = ("precision", "recall", "F", "precision, root mean square", "recall, root mean square", "pooled")
PARTS = ("scale", "top", "linear", "hidden", "hidden_bias", "out", "floor")
_STEP = 8  # the number of tokens to a multiple of which texts are filled up
_BATCH = 2048  # tokens of the longer texts of some pairs, which are matched at a time
CELLS = 1 << 24  #: similarities in memory at a time; two texts with more of them are matched in blocks
SLOPE = 0.25  #: how much less a text with one thing wrong scores if the rest of it is worse
BEND = 1.0  # points; a value as high as that of equal texts scores 100 - 0.7 of them


def token_gaps(first: Tokens, second: Tokens) -> tuple[float, ...]:
    """Return the differences of a candidate and a reference, each 0 for equal texts, in the order of :data:`GAPS`.

    The gap of a token is one minus its cosine with the nearest token of the other text. Means are weighted by the
    tokens' weights, which the student has learned.
    """
    return tuple(all_token_gaps([first], [second])[0].tolist())


def all_token_gaps(first: Sequence[Tokens], second: Sequence[Tokens]) -> Matrix:
    """Return the differences of candidates and references: one row per pair, one column per name of :data:`GAPS`."""
    sizes = [(len(one.weights), len(two.weights)) for one, two in zip(first, second, strict=True)]
    return batched_gaps(
        np.array(sizes, dtype=np.int64).reshape(-1, 2),
        lambda rows: TokenTexts.of([side[row] for side in (first, second) for row in rows.tolist()]),
    )


def batched_gaps(sizes: Indices, read: Callable[[Indices], TokenTexts]) -> Matrix:
    """Return the differences of pairs whose texts are read when they are matched: one row per pair.

    Pairs are computed together if their texts have about the same lengths. They are filled up to multiples of
    eight tokens, whatever the other pairs are, so that no pair changes a digit of another one.

    :param sizes: how many tokens the candidate and the reference of each pair have: pairs by 2
    :param read: returns the tokens of the candidates of some rows, then those of their references
    """
    gaps, memory = np.empty((len(sizes), len(GAPS))), (workspace("ours"), workspace("theirs"))
    for rows, (ours, theirs) in _groups(-(-sizes // _STEP) * _STEP):
        texts, half = read(rows), len(rows)
        with step("align"):
            own, other = texts.filled(slice(half), ours, memory[0]), texts.filled(slice(half, None), theirs, memory[1])
            gaps[rows] = _filled_gaps(*own, *other, memory[0])
    return gaps


def _groups(filled: Indices) -> Iterator[tuple[Indices, tuple[int, int]]]:
    """Yield the rows of pairs that are filled up alike, some at a time, and to how many tokens their texts are."""
    order = np.lexsort(filled.T)
    changes = np.any(np.diff(filled[order], axis=0, prepend=-1, append=-1), axis=1) if len(order) else np.zeros(0)
    for begin, end in pairwise(np.flatnonzero(changes).tolist()):
        ours, theirs = filled[order[begin]].tolist()
        size = max(1, _BATCH // max(ours, theirs))
        for first in range(begin, end, size):
            yield order[first : min(first + size, end)], (ours, theirs)


def _filled_gaps(ours: Vectors, own: Floats, theirs: Vectors, other: Floats, memory: Workspace) -> Matrix:
    """Return the differences of pairs, given vectors (pairs by tokens by dimension) and shares (pairs by tokens)."""
    forth, back = (np.maximum(1 - nearest, 0) for nearest in _nearest(ours, theirs, memory))
    precision, recall = _dots(own, forth), _dots(other, back)
    harmonic = harmonic_gap(precision, recall)
    spread = [np.sqrt(_dots(share, gap * gap) + 1e-8) - 1e-4 for share, gap in ((own, forth), (other, back))]
    means = _means(own, ours), _means(other, theirs)
    lengths = np.sqrt(_dots(means[0], means[0])) * np.sqrt(_dots(means[1], means[1]))
    pooled = _dots(*means) / np.maximum(lengths, 1e-12)
    return np.stack([precision, recall, harmonic, *spread, 1 - pooled], axis=1)


def harmonic_gap(precision: Floats, recall: Floats) -> Floats:
    """Return one minus the F of two sides, given their gaps; a side whose tokens are unlike all others counts as 0."""
    first, second = np.maximum(1 - precision, 0), np.maximum(1 - recall, 0)
    gap: Floats = 1 - 2 * first * second / np.maximum(first + second, 1e-6)
    return gap


def _nearest(ours: Vectors, theirs: Vectors, memory: Workspace) -> tuple[Floats, Floats]:
    """Return how similar each token is to the nearest one of the other text, in bounded memory.

    Products are taken in the precision of the vectors: single precision moves a score by less than 0.0001 points.
    """
    other, step = theirs.swapaxes(1, 2), max(1, CELLS // (len(theirs) * theirs.shape[1]))
    forth, back = np.empty(ours.shape[:2], ours.dtype), np.full(theirs.shape[:2], -np.inf, theirs.dtype)
    for begin in range(0, ours.shape[1], step):
        some = ours[:, begin : begin + step]
        similarity = memory.array("similarity", (*some.shape[:2], theirs.shape[1]), some.dtype)
        np.matmul(some, other, out=similarity)
        similarity.max(axis=2, out=forth[:, begin : begin + step])
        np.maximum(back, similarity.max(axis=1), out=back)
    return forth.astype(np.float64), back.astype(np.float64)


def _means(shares: Floats, vectors: Vectors) -> Floats:
    """Return the weighted mean vector of every text."""
    means: Floats = (shares.astype(vectors.dtype)[:, None] @ vectors)[:, 0].astype(np.float64)
    return means


def _dots(first: Matrix, second: Matrix) -> Floats:
    """Return the scalar product of every two rows."""
    dots: Floats = np.einsum("bi,bi->b", first, second)
    return dots


def text_gaps(candidates: Sequence[str], others: Sequence[str], features: Sequence[str] = (SURFACE,)) -> Matrix:
    """Return the differences of texts beside those of their tokens, one row per pair.

    :param features: the groups of columns, as a student's folder tells them
    """
    groups = [surface_gaps(candidates, others)]
    if LANGUAGES in features:
        from farthing.students.language_gap import language_gaps

        groups.append(language_gaps(candidates, others))
    if ORDER in features:
        from farthing.students.order_gap import order_gaps

        groups.append(order_gaps(candidates, others))
    if CASE in features:
        from farthing.students.case_gap import case_gaps

        groups.append(case_gaps(candidates, others))
    if EDITS in features:
        from farthing.students.edit_gap import edit_gaps

        groups.append(edit_gaps(candidates, others))
    return np.concatenate(groups, axis=1) if len(groups) > 1 else groups[0]


class Differences(NamedTuple):
    """How the texts of some pairs differ.

    :param features: what the head reads
    :param lost: pairs that cannot be aligned since only one of the texts has tokens
    :param equal: pairs of equal texts, up to white space
    """

    features: Matrix
    lost: Mask
    equal: Mask


def best_rows(owners: Indices, values: Segments) -> Indices:
    """Return for every owner the row of its highest value, the first of equal ones.

    >>> best_rows(np.array([0, 0, 1]), np.array([1.0, 2.0, 5.0])).tolist()
    [1, 2]
    """
    order = np.lexsort((-values, owners))
    best: Indices = order[np.unique(owners[order], return_index=True)[1]]
    return best


@dataclass(frozen=True, slots=True)
class FocusScale:
    """One side of the alignment as the score: equal texts at 100, unrelated ones about 0.

    :param side: a name of :data:`SIDES`
    :param far: the mean gap of unrelated texts on that side; it reads as 0
    """

    side: str
    far: float

    @classmethod
    def read(cls, folder: StudentFolder, side: str) -> FocusScale:
        """Read the scale of one side, which calibration wrote into a student's folder."""
        told = folder.facts.get("focus")
        scale = told.get(side) if isinstance(told, dict) else None
        if not isinstance(scale, dict):
            remedy = "" if folder.against == "source" else ", or let recipes/lower_end.py measure it"
            raise ModelError(f"{folder.name} has no scale for focus={side}: leave out the option{remedy}")
        return cls(side, **scale)

    def scores(self, differences: Matrix) -> Segments:
        """Return one score per row."""
        values: Segments = 100 * (1 - differences[:, GAPS.index(self.side)] / self.far)
        return values


@dataclass(frozen=True, slots=True)
class Head:
    """A linear part and a few hidden units over differences; its value at no difference is `top`.

    :param floor: the value that unrelated texts get; it reads as 0
    :param ceiling: the value that reads as 100, if that is not the value of equal texts, as for a translation and its
        source; such a head gives no text exactly 100
    :param cap: about the highest value of a text with one thing wrong: one of the differences that follow those of the
        scale is not 0, and only one
    """

    scale: Floats
    top: float
    linear: Floats
    hidden: Matrix
    hidden_bias: Floats
    out: Floats
    floor: float
    ceiling: float | None = None
    cap: float | None = None

    @classmethod
    def read(cls, path: Path) -> Head:
        """Read a head from a safetensors file."""
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        try:
            arrays = load_file(path)
        except (OSError, SafetensorError) as error:
            raise ModelError(f"{path} cannot be read: {error}") from error
        missing = [name for name in PARTS if name not in arrays]
        if missing:
            raise ModelError(f"{path} is not the head of a student: it has no {missing[0]!r}")
        return cls.of(arrays)

    @classmethod
    def of(cls, arrays: Mapping[str, np.ndarray]) -> Head:
        """Make a head from its arrays by name."""
        wide = {name: np.asarray(array, dtype=np.float64) for name, array in arrays.items()}
        return cls(
            wide["scale"], float(wide["top"]), wide["linear"].ravel(), wide["hidden"],
            wide["hidden_bias"], wide["out"].ravel(), float(wide["floor"]),
            *(float(wide[name]) if name in wide else None for name in ("ceiling", "cap")),
        )  # fmt: skip

    def raw(self, differences: Matrix) -> Segments:
        """Return one value per row, never above that of equal texts unless the head has a ceiling of its own."""
        values = self._values(differences)
        return values if self.ceiling is not None else np.minimum(values, self.top)

    def scores(self, differences: Matrix) -> Segments:
        """Return one score per row: 100 for equal texts and for no others, about 0 for unrelated ones.

        The score is a straight line of the value, which keeps every correlation. Only just below 100 it bends, within a
        point or two, so that texts which the head would put above equal ones stay below them, in their order.
        """
        highest = self.top if self.ceiling is None else self.ceiling
        straight = 100 * (self._values(differences) - self.floor) / (highest - self.floor)
        bent = np.minimum(100 - BEND * np.logaddexp(0, (100 - straight) / BEND), np.nextafter(100.0, 0.0))
        return bent if self.ceiling is not None else np.where(differences.any(axis=1), bent, 100.0)

    def _values(self, differences: Matrix) -> Segments:
        scaled = differences[:, : len(self.scale)] / self.scale
        # each row is a product of its own, so that no row changes the last digit of another one
        bend = np.tanh((scaled[:, None] @ self.hidden.T)[:, 0] + self.hidden_bias) - np.tanh(self.hidden_bias)
        values: Segments = self.top + (scaled[:, None] @ self.linear)[:, 0] + (bend[:, None] @ self.out)[:, 0]
        if self.cap is None:
            return values
        edited = np.count_nonzero(differences[:, len(self.scale) :], axis=1) == 1
        return np.where(edited, np.minimum(values, self.cap + SLOPE * (values - self.top)), values)


def read_head(folder: StudentFolder) -> Head:
    """Read a student's head, and raise a sentence if it does not read what the rest of the student gives it."""
    path = folder.path / HEAD
    read = [group for group in folder.features if group != EDITS]
    head, columns = Head.read(path), len(GAPS) + text_gaps([], [], read).shape[1]
    if len(head.scale) != columns:
        raise ModelError(f"{path} reads {len(head.scale)} features, but the student has {columns}")
    return head


def lower_end(folder: StudentFolder) -> tuple[float, CharacterScale | None]:
    """Return the lowest score of the calibration set (infinite if it is unknown), and the scale of unread texts."""
    lowest, characters = folder.facts.get("lowest"), folder.facts.get("characters")
    # two languages share few characters, which say little about a text and its source
    told = characters if folder.against == "reference" else None
    scale = CharacterScale(**told) if isinstance(told, dict) else None
    return float(lowest) if isinstance(lowest, int | float) else np.inf, scale
