"""Correlation coefficients of two vectors, or row by row of two matrices with gaps.

NaN marks a gap, at the same places in both inputs. An undefined coefficient (of a constant row, or a row of one) is
NaN here; :func:`farthing.meta.correlation.correlate` raises an error or adds a note instead.
"""

from __future__ import annotations

import numpy as np

from farthing.meta.pairwise import LONG, count_pairs


def pearson(human: np.ndarray, metric: np.ndarray) -> np.ndarray:
    """Compute Pearson's r of each row.

    >>> pearson(np.array([[1.0, 2.0, 3.0]]), np.array([[1.0, 2.0, 3.0]]))
    array([1.])
    """
    count = np.sum(~np.isnan(human), axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        human = human - np.nansum(human, axis=1, keepdims=True) / count
        metric = metric - np.nansum(metric, axis=1, keepdims=True) / count
        scale = np.sqrt(np.nansum(human**2, axis=1) * np.nansum(metric**2, axis=1))
        values = np.nansum(human * metric, axis=1) / scale
    return np.where(_varies(human) & _varies(metric), np.clip(values, -1, 1), np.nan)


def spearman(human: np.ndarray, metric: np.ndarray) -> np.ndarray:
    """Compute Spearman's rho of each row: Pearson's r of the ranks; tied values share their mean rank."""
    return pearson(ranks(human), ranks(metric))


def kendall(human: np.ndarray, metric: np.ndarray, variant: str = "b") -> np.ndarray:
    """Compute Kendall's tau-b or tau-c of each row."""
    if human.shape[1] > LONG:
        return np.array([_long_kendall(*rows, variant) for rows in zip(human, metric, strict=True)])
    counts = count_pairs(human, metric)
    surplus = counts.concordant - counts.discordant
    with np.errstate(invalid="ignore", divide="ignore"):
        if variant == "b":
            return np.asarray(
                surplus / np.sqrt((counts.all - counts.human_ties) * (counts.all - counts.metric_ties)), dtype=float
            )
        number = np.sum(~np.isnan(human), axis=1)
        classes = np.minimum(_distinct(human), _distinct(metric))
        values = 2 * surplus / (number**2 * (classes - 1) / classes)
    return np.where(classes > 1, values, np.nan)


def ranks(values: np.ndarray) -> np.ndarray:
    """Rank the values of each row from 1; tied values share their mean rank, and gaps stay gaps."""
    from scipy.stats import rankdata

    return np.asarray(rankdata(values, axis=1, nan_policy="omit"), dtype=float)


def _long_kendall(human: np.ndarray, metric: np.ndarray, variant: str) -> float:
    """Compute one long row by scipy, whose time grows with n log n instead of the number of pairs."""
    from scipy.stats import kendalltau

    kept = ~np.isnan(human)
    if kept.sum() < 2 or np.ptp(human[kept]) == 0 or np.ptp(metric[kept]) == 0:
        return float("nan")
    return float(kendalltau(human[kept], metric[kept], variant=variant).statistic)


def _varies(values: np.ndarray) -> np.ndarray:
    low = np.min(np.where(np.isnan(values), np.inf, values), axis=1)
    high = np.max(np.where(np.isnan(values), -np.inf, values), axis=1)
    return np.asarray(high > low)


def _distinct(values: np.ndarray) -> np.ndarray:
    """Count the different values of each row."""
    ordered = np.sort(values, axis=1)
    return np.asarray(1 + np.sum(np.diff(ordered, axis=1) > 0, axis=1))
