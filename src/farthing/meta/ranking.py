"""Metrics in order: who beats whom, who is beaten by nobody, and who shares a rank."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from farthing.meta.significance import Difference

Test = Callable[[np.ndarray, np.ndarray, np.ndarray], Difference]


def p_matrix(human: np.ndarray, metrics: Sequence[np.ndarray], test: Test) -> np.ndarray:
    """The p of every metric (row) against every other (column); 1 on the diagonal."""
    found = np.ones((len(metrics), len(metrics)))
    for row in range(len(metrics)):
        for column in range(row + 1, len(metrics)):
            result = test(human, metrics[row], metrics[column])
            found[row, column], found[column, row] = result.p_value, result.p_reverse
    return found


def unbeaten(p_values: np.ndarray, alpha: float = 0.05) -> np.ndarray:
    """True for the metrics that no other beats significantly."""
    return np.asarray(~np.any(p_values < alpha, axis=0))


def clusters(values: Sequence[float], p_values: np.ndarray, alpha: float = 0.05) -> list[int]:
    """Ranks from 1 in clusters.

    Going down from the best metric, one that a member of the cluster beats significantly opens the next cluster.

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
