"""The small head of a matching student: from the differences of two texts to a score on a scale people can read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from farthing.core.arrays import Floats, Matrix, Segments
from farthing.core.errors import ModelError
from farthing.encoders.backends.embedded import Tokens

GAPS = ("precision", "recall", "F", "precision, root mean square", "recall, root mean square", "pooled")
PARTS = ("scale", "top", "linear", "hidden", "hidden_bias", "out", "floor")
BEND = 1.0  # points; a value as high as that of equal texts scores 100 - 0.7 of them


def token_gaps(first: Tokens, second: Tokens) -> tuple[float, ...]:
    """Return the differences of a candidate and a reference, each 0 for equal texts, in the order of :data:`GAPS`.

    The gap of a token is one minus its cosine with the nearest token of the other text. Means are weighted by the
    tokens' weights, which the student has learned.
    """
    similarity = first.vectors @ second.vectors.T
    forth, back = np.maximum(1 - similarity.max(axis=1), 0), np.maximum(1 - similarity.max(axis=0), 0)
    shares = first.weights / first.weights.sum(), second.weights / second.weights.sum()
    precision, recall = float(shares[0] @ forth), float(shares[1] @ back)
    both = max((1 - precision) + (1 - recall), 1e-6)
    harmonic = 1 - 2 * (1 - precision) * (1 - recall) / both
    spread = [
        float(np.sqrt(share @ (one * one) + 1e-8)) - 1e-4 for one, share in ((forth, shares[0]), (back, shares[1]))
    ]
    means = shares[0] @ first.vectors, shares[1] @ second.vectors
    pooled = float(means[0] @ means[1] / max(np.linalg.norm(means[0]) * np.linalg.norm(means[1]), 1e-12))
    return precision, recall, harmonic, *spread, 1 - pooled


@dataclass(frozen=True, slots=True)
class Head:
    """A linear part and a few hidden units over differences; its value at no difference is `top`.

    :param floor: the value that unrelated texts get
    """

    scale: Floats
    top: float
    linear: Floats
    hidden: Matrix
    hidden_bias: Floats
    out: Floats
    floor: float

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
        wide = {name: np.asarray(arrays[name], dtype=np.float64) for name in PARTS}
        return cls(
            wide["scale"], float(wide["top"]), wide["linear"].ravel(), wide["hidden"],
            wide["hidden_bias"], wide["out"].ravel(), float(wide["floor"]),
        )  # fmt: skip

    def raw(self, differences: Matrix) -> Segments:
        """Return one value per row, never above that of equal texts."""
        values: Segments = np.minimum(self._values(differences), self.top)
        return values

    def scores(self, differences: Matrix) -> Segments:
        """Return one score per row: 100 for equal texts and for no others, about 0 for unrelated ones.

        The score is a straight line of the value, which keeps every correlation. Only just below 100 it bends, within a
        point or two, so that texts which the head would put above equal ones stay below them, in their order.
        """
        straight = 100 * (self._values(differences) - self.floor) / (self.top - self.floor)
        bent = np.minimum(100 - BEND * np.logaddexp(0, (100 - straight) / BEND), np.nextafter(100.0, 0.0))
        return np.where(differences.any(axis=1), bent, 100.0)

    def _values(self, differences: Matrix) -> Segments:
        scaled = differences / self.scale
        bend = np.tanh(scaled @ self.hidden.T + self.hidden_bias) - np.tanh(self.hidden_bias)
        values: Segments = self.top + scaled @ self.linear + bend @ self.out
        return values
