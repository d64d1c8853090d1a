"""How well a score tells two classes apart: the area under the ROC curve."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from farthing.core.errors import UsageError
from farthing.meta.correlation import Undefined

_NORMAL = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Area:
    """The probability that a positive scores above a negative (a tie counts half), with its 95 % interval (DeLong)."""

    value: float
    low: float
    high: float
    positives: int
    negatives: int


def area_under_curve(labels: ArrayLike, scores: ArrayLike) -> Area:
    """Compute the area under the ROC curve of scores for labels 1 and 0.

    >>> area_under_curve([1, 1, 0, 0], [0.9, 0.5, 0.5, 0.1]).value
    0.875
    """
    wanted, values = np.asarray(labels, dtype=float), np.asarray(scores, dtype=float)
    if wanted.shape != values.shape or wanted.ndim != 1:
        raise UsageError(f"{wanted.size} labels but {values.size} scores: give one score per label")
    if not np.all(np.isin(wanted, (0, 1))):
        raise UsageError("labels must be 1 (a paraphrase) or 0 (not a paraphrase)")
    if not np.all(np.isfinite(values)):
        raise UsageError("every pair needs a finite score")
    positive, negative = np.sort(values[wanted == 1]), np.sort(values[wanted == 0])
    if not len(positive) or not len(negative):
        raise Undefined("the area under the curve needs pairs of both labels")
    above = _below(negative, positive) / len(negative)  # for each positive, the negatives that it beats
    under = 1 - _below(positive, negative) / len(positive)
    value = float(above.mean())
    spread = _NORMAL * float(np.sqrt(_variance(above) + _variance(under)))
    return Area(value, max(0.0, value - spread), min(1.0, value + spread), len(positive), len(negative))


def _below(ordered: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Count the ordered values that lie below each value; a tie counts half."""
    return (np.searchsorted(ordered, values, "left") + np.searchsorted(ordered, values, "right")) / 2


def _variance(shares: np.ndarray) -> float:
    return float(shares.var(ddof=1) / len(shares)) if len(shares) > 1 else 0.0
