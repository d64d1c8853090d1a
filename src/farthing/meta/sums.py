"""Statistics that are functions of sums over units: thousands of resamples are one matrix product.

Pearson's r is a function of six sums over outputs. A mean over items (or a pooled count of pairs within items) is
a ratio of two sums over items. Swapping two metrics on a unit, or drawing the unit twice, only changes the sums.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from farthing.core.specs import Spec
from farthing.meta.coefficients import kendall, pearson, ranks, spearman
from farthing.meta.correlation import Average
from farthing.meta.pairwise import accuracy, calibrate, kendall_like

Formula: TypeAlias = Literal["pearson", "ratio"]
Unit: TypeAlias = Literal["output", "item"]


@dataclass(frozen=True, slots=True)
class Sums:
    """What each of two metrics adds to the sums, one row per unit."""

    first: np.ndarray
    second: np.ndarray
    formula: Formula

    def values(self, sums: np.ndarray) -> np.ndarray:
        """Return the statistic of each row of summed contributions; NaN if it is undefined."""
        with np.errstate(invalid="ignore", divide="ignore"):
            if self.formula == "ratio":
                return np.asarray(sums[:, 0] / sums[:, 1])
            count, human, human2, metric, metric2, both = sums.T
            spread = (human2 - human**2 / count) * (metric2 - metric**2 / count)
            return np.where(spread > 0, (both - human * metric / count) / np.sqrt(np.maximum(spread, 0)), np.nan)


def as_sums(
    human: np.ndarray, first: np.ndarray, second: np.ndarray, spec: Spec, average: Average, unit: Unit
) -> Sums | None:
    """Return the sums behind a statistic of two metrics, or None for one that is not a function of sums."""
    if average == "none" and spec.name in ("pearson", "spearman"):
        if spec.name == "spearman":
            human, first, second = (_all_ranks(values) for values in (human, first, second))
        parts = [_products(human, standardised(metric)) for metric in (first, second)]
        if unit == "item":
            parts = [part.reshape(*human.shape, -1).sum(axis=0) for part in parts]
        return Sums(parts[0], parts[1], "pearson")
    if average == "item" and spec.name != "soft_pairwise_accuracy":
        return Sums(_shares(human, first, spec), _shares(human, second, spec), "ratio")
    return None


def standardised(metric: np.ndarray) -> np.ndarray:
    """Scale to mean 0 and deviation 1 over everything that is scored, so that two metrics can be swapped."""
    spread = np.nanstd(metric)
    return np.asarray((metric - np.nanmean(metric)) / (spread if spread > 0 else 1.0))


def _products(human: np.ndarray, metric: np.ndarray) -> np.ndarray:
    people, scores = standardised(human).ravel(), metric.ravel()
    parts = (np.ones_like(people), people, people**2, scores, scores**2, people * scores)
    return np.where(np.isnan(people)[:, None], 0.0, np.stack(parts, axis=1))


def _all_ranks(values: np.ndarray) -> np.ndarray:
    return ranks(values.reshape(1, -1)).reshape(values.shape)


def _shares(human: np.ndarray, metric: np.ndarray, spec: Spec) -> np.ndarray:
    """Return the numerator and the denominator that each item adds."""
    people, scores = human.T, metric.T
    if spec.name == "kendall_like":
        agree, differ = kendall_like(people, scores, _option(spec, "threshold", 25.0))
        return np.stack([agree - differ, agree + differ], axis=1).astype(float)
    values = _item_values(people, scores, spec)
    kept = ~np.isnan(values) & (np.sum(~np.isnan(people), axis=1) > 1)
    return np.stack([np.where(kept, values, 0.0), kept], axis=1).astype(float)


def _item_values(people: np.ndarray, scores: np.ndarray, spec: Spec) -> np.ndarray:
    if spec.name == "accuracy_calibrated":
        return accuracy(people, scores, calibrate(people, scores)[0])
    if spec.name == "accuracy":
        return accuracy(people, scores, _option(spec, "epsilon", 0.0))
    if spec.name.startswith("kendall"):
        return kendall(people, scores, spec.name[-1])
    return (pearson if spec.name == "pearson" else spearman)(people, scores)


def _option(spec: Spec, name: str, default: float) -> float:
    value = spec.options.get(name, default)
    return float(value) if isinstance(value, int | float) else default
