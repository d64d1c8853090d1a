"""Soft pairwise accuracy: does the metric give a pair of systems the same p-value as people do?

For every pair of systems, a paired permutation test over the segments asks whether one is better. One matrix of
random signs serves all pairs and both judges, so that equal scores give an accuracy of exactly one. A segment that
lacks a score of one of the two systems is left out for that pair.
"""

from __future__ import annotations

import numpy as np

_BLOCK = 250


def soft_pairwise_accuracy(human: np.ndarray, metric: np.ndarray, seed: int = 4, permutations: int = 1000) -> float:
    """Return one minus the mean difference between the two p-values of a pair of systems; NaN without pairs.

    :param human: systems x segments, NaN for a missing score
    :param metric: the same shape
    """
    first, second = np.triu_indices(len(human), k=1)
    if not len(first):
        return float("nan")
    by_human, by_metric = human[first] - human[second], metric[first] - metric[second]
    missing = np.isnan(by_human) | np.isnan(by_metric)
    judged = ~np.all(missing, axis=1)
    if not judged.any():
        return float("nan")
    both = [np.where(missing, 0.0, values)[judged] for values in (by_human, by_metric)]
    human_p, metric_p = p_values(both[0], seed, permutations), p_values(both[1], seed, permutations)
    return float(1 - np.mean(np.abs(human_p - metric_p)))


def p_values(differences: np.ndarray, seed: int, permutations: int) -> np.ndarray:
    """Return for each row how often random signs make its sum at least as great as it is."""
    observed = differences.sum(axis=1)
    slack = 1e-9 * np.abs(differences).sum(axis=1)  # equal sums may differ in the last bits
    random = np.random.default_rng(seed)
    hits = np.zeros(len(differences))
    for start in range(0, permutations, _BLOCK):
        count = min(_BLOCK, permutations - start)
        signs = np.where(random.random((count, differences.shape[1]), dtype=np.float32) < 0.5, -1.0, 1.0)
        hits += np.count_nonzero(signs @ differences.T >= observed - slack, axis=0)
    return hits / permutations
