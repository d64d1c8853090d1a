"""The small head of a student and the scale people read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from farthing.core.errors import ModelError

PARTS = ("scale", "top", "linear", "hidden", "hidden_bias", "out", "floor")
BEND = 1.0  # points; a value as high as that of equal texts scores 100 - 0.7 of them


@dataclass(frozen=True, slots=True)
class Head:
    """A linear part and a few hidden units over differences; its value at no difference is `top`.

    :param floor: the value that unrelated texts get
    """

    scale: np.ndarray
    top: float
    linear: np.ndarray
    hidden: np.ndarray
    hidden_bias: np.ndarray
    out: np.ndarray
    floor: float

    @classmethod
    def read(cls, path: Path) -> Head:
        """From a file of safetensors."""
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        try:
            found = load_file(path)
        except (OSError, SafetensorError) as error:
            raise ModelError(f"{path} cannot be read: {error}") from error
        missing = [name for name in PARTS if name not in found]
        if missing:
            raise ModelError(f"{path} is no student's head: it has no {missing[0]!r}")
        return cls.of(found)

    @classmethod
    def of(cls, arrays: Mapping[str, np.ndarray]) -> Head:
        """From its arrays by name."""
        wide = {name: np.asarray(arrays[name], dtype=np.float64) for name in PARTS}
        return cls(
            wide["scale"], float(wide["top"]), wide["linear"].ravel(), wide["hidden"],
            wide["hidden_bias"], wide["out"].ravel(), float(wide["floor"]),
        )  # fmt: skip

    def raw(self, differences: np.ndarray) -> np.ndarray:
        """One value a row, never above that of equal texts."""
        found: np.ndarray = np.minimum(self._values(differences), self.top)
        return found

    def scores(self, differences: np.ndarray) -> np.ndarray:
        """One score a row: 100 for equal texts and for no others, about 0 for unrelated ones.

        A straight line of the values, which keeps every correlation; only below 100 it bends, within a point or two,
        so that texts which the head would put above equal ones stay below them, in their order.
        """
        straight = 100 * (self._values(differences) - self.floor) / (self.top - self.floor)
        bent = np.minimum(100 - BEND * np.logaddexp(0, (100 - straight) / BEND), np.nextafter(100.0, 0.0))
        return np.where(differences.any(axis=1), bent, 100.0)

    def _values(self, differences: np.ndarray) -> np.ndarray:
        scaled = differences / self.scale
        bend = np.tanh(scaled @ self.hidden.T + self.hidden_bias) - np.tanh(self.hidden_bias)
        found: np.ndarray = self.top + scaled @ self.linear + bend @ self.out
        return found
