"""What a matching student computes from the tokens of two texts: how they differ, and the score that its head gives.

The differences are those of the aligned tokens (:func:`token_gaps`), those on the surface
(:mod:`farthing.students.surface`) and, for students of many languages, those of the languages
(:mod:`farthing.students.language_gap`). The head turns them into a number on a scale people can read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np

from farthing.core.arrays import Floats, Indices, Mask, Matrix, Segments
from farthing.core.errors import ModelError
from farthing.encoders.backends.embedded import Tokens
from farthing.students.layout import LANGUAGES, SURFACE, StudentFolder
from farthing.students.surface import surface_gaps

SIDES = ("precision", "recall")  #: the two sides of an alignment
GAPS = ("precision", "recall", "F", "precision, root mean square", "recall, root mean square", "pooled")
PARTS = ("scale", "top", "linear", "hidden", "hidden_bias", "out", "floor")
BEND = 1.0  # points; a value as high as that of equal texts scores 100 - 0.7 of them


def token_gaps(first: Tokens, second: Tokens) -> tuple[float, ...]:
    """Return the differences of a candidate and a reference, each 0 for equal texts, in the order of :data:`GAPS`.

    The gap of a token is one minus its cosine with the nearest token of the other text. Means are weighted by the
    tokens' weights, which the student has learned.
    """
    # in double precision a sum does not depend on its order, and so a score not on how pairs were put together
    ours, theirs = first.vectors.astype(np.float64), second.vectors.astype(np.float64)
    similarity = ours @ theirs.T
    forth, back = np.maximum(1 - similarity.max(axis=1), 0), np.maximum(1 - similarity.max(axis=0), 0)
    own, other = first.weights.astype(np.float64), second.weights.astype(np.float64)
    own, other = own / own.sum(), other / other.sum()
    means = own @ ours, other @ theirs
    pooled = means[0] @ means[1] / max(sqrt(means[0] @ means[0]) * sqrt(means[1] @ means[1]), 1e-12)
    precision, recall = float(own @ forth), float(other @ back)
    harmonic = 1 - 2 * (1 - precision) * (1 - recall) / max((1 - precision) + (1 - recall), 1e-6)
    spread = [sqrt(share @ (gap * gap) + 1e-8) - 1e-4 for share, gap in ((own, forth), (other, back))]
    return precision, recall, harmonic, *spread, 1 - float(pooled)


def text_gaps(candidates: Sequence[str], others: Sequence[str], features: Sequence[str] = (SURFACE,)) -> Matrix:
    """Return the differences of texts beside those of their tokens, one row per pair.

    :param features: the groups of columns, as a student's folder tells them
    """
    surface = surface_gaps(candidates, others)
    if LANGUAGES not in features:
        return surface
    from farthing.students.language_gap import language_gaps

    return np.concatenate([surface, language_gaps(candidates, others)], axis=1)


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
    """

    scale: Floats
    top: float
    linear: Floats
    hidden: Matrix
    hidden_bias: Floats
    out: Floats
    floor: float
    ceiling: float | None = None

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
            float(wide["ceiling"]) if "ceiling" in wide else None,
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
        scaled = differences / self.scale
        bend = np.tanh(scaled @ self.hidden.T + self.hidden_bias) - np.tanh(self.hidden_bias)
        values: Segments = self.top + scaled @ self.linear + bend @ self.out
        return values
