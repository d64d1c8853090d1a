"""Metrics in order: which beats which, which are unbeaten, and which share a rank."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from farthing.core.arrays import Mask, Matrix
from farthing.core.progress import counted
from farthing.meta.question import Tester


def p_matrix(human: np.ndarray, metrics: Sequence[np.ndarray], test: Tester) -> Matrix:
    """Return the p of every metric (row) against every other (column); 1 on the diagonal."""
    p_values = np.ones((len(metrics), len(metrics)))
    for row, column in counted("resampling", list(combinations(range(len(metrics)), 2))):
        result = test(human, metrics[row], metrics[column])
        p_values[row, column], p_values[column, row] = result.p_value, result.p_reverse
    return p_values


def unbeaten(p_values: Matrix, alpha: float = 0.05) -> Mask:
    """True for the metrics that no other beats significantly."""
    return np.asarray(~np.any(p_values < alpha, axis=0))


def clusters(values: Sequence[float], p_values: Matrix, alpha: float = 0.05) -> list[int]:
    """Rank metrics from 1; metrics of one cluster share a rank.

    From the best metric downwards, one that a member of the cluster beats significantly starts the next cluster.

    >>> clusters([0.5, 0.7, 0.69], np.array([[1, 1, 1], [0.01, 1, 0.4], [0.01, 0.6, 1]]))
    [2, 1, 1]
    """
    order = sorted(range(len(values)), key=lambda metric: -values[metric])
    ranks = [0] * len(values)
    rank, members = 1, list[int]()
    for metric in order:
        if any(p_values[member, metric] < alpha for member in members):
            rank, members = rank + 1, []
        members.append(metric)
        ranks[metric] = rank
    return ranks
