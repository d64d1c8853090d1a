"""Statistics over pairs of outputs: does the metric order them as people do?

All rows of a matrix are compared at once. If there are too many pairs to be held, one distance between columns is
compared at a time, so that no more memory than that of the matrix is needed. NaN marks a gap; a pair with a gap does
not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

LONG = 200  # from here on sorting a row is faster than comparing all its pairs
_AT_ONCE = 1 << 15  # pairs that are compared in one go; more than fit into the cache would be slower


@dataclass(frozen=True, slots=True)
class PairCounts:
    """For each row, the number of pairs by outcome; a pair that is tied on both sides is in both counts of ties."""

    concordant: np.ndarray
    discordant: np.ndarray
    human_ties: np.ndarray
    metric_ties: np.ndarray
    both_ties: np.ndarray
    all: np.ndarray


def count_pairs(human: np.ndarray, metric: np.ndarray, epsilon: float = 0.0) -> PairCounts:
    """Count the pairs of each row; the metric ties if it differs by at most `epsilon`.

    >>> count_pairs(np.array([[1.0, 2.0, 2.0]]), np.array([[0.1, 0.2, 0.3]])).concordant
    array([2])
    """
    totals = np.zeros((6, len(human)), dtype=np.int64)
    for by_human, by_metric in pair_differences(human, metric):
        valid = ~np.isnan(by_human)
        human_tie, metric_tie = by_human == 0, np.abs(by_metric) <= epsilon
        clear = valid & ~human_tie & ~metric_tie
        agree = clear & _agree(by_human, by_metric)
        outcomes = (agree, clear & ~agree, human_tie, metric_tie & valid, human_tie & metric_tie, valid)
        for total, outcome in zip(totals, outcomes, strict=True):
            total += outcome.sum(axis=0)
    return PairCounts(*totals)


def kendall_like(human: np.ndarray, metric: np.ndarray, threshold: float) -> tuple[np.ndarray, np.ndarray]:
    """Count the concordant and discordant pairs of each row whose human scores differ by `threshold` or more.

    A pair on which the metric ties is discordant, as in the metrics tasks of WMT.
    """
    concordant = np.zeros(len(human), dtype=np.int64)
    every = np.zeros(len(human), dtype=np.int64)
    for by_human, by_metric in pair_differences(human, metric):
        told_apart = (np.abs(by_human) >= threshold) & (by_human != 0)
        every += told_apart.sum(axis=0)
        concordant += (told_apart & _agree(by_human, by_metric)).sum(axis=0)
    return concordant, every - concordant


def accuracy(human: np.ndarray, metric: np.ndarray, epsilon: float = 0.0) -> np.ndarray:
    """Return the share of pairs in each row on which both agree, ties included; NaN without pairs."""
    if epsilon == 0 and human.shape[1] > LONG:
        return np.array([_long_accuracy(*rows) for rows in zip(human, metric, strict=True)])
    right = np.zeros(len(human), dtype=np.int64)
    for by_human, by_metric in pair_differences(human, metric):
        tied = np.abs(by_metric) <= epsilon
        right += np.where(tied, by_human == 0, _agree(by_human, by_metric)).sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(right / pairs_of(human))


def _long_accuracy(human: np.ndarray, metric: np.ndarray) -> float:
    """Compute one long row by sorting: Kendall's surplus and the counts of ties give the concordant pairs."""
    from scipy.stats import kendalltau

    kept = ~np.isnan(human)
    people, scores = human[kept], metric[kept]
    pairs = len(people) * (len(people) - 1) // 2
    if not pairs:
        return float("nan")
    order = np.lexsort((scores, people))
    both = _tied_pairs(people[order], scores[order])
    by_human, by_metric = _tied_pairs(np.sort(people)), _tied_pairs(np.sort(scores))
    surplus = 0
    if by_human < pairs and by_metric < pairs:
        tau = float(kendalltau(people, scores).statistic)
        surplus = round(tau * float(np.sqrt(float(pairs - by_human) * (pairs - by_metric))))
    return ((surplus + pairs - by_human - by_metric + both) // 2 + both) / pairs


def _tied_pairs(*ordered: np.ndarray) -> int:
    """Count the pairs of places that are equal in all of these columns, which are sorted together."""
    starts = np.append(True, np.any([column[1:] != column[:-1] for column in ordered], axis=0))
    sizes = np.diff(np.append(np.flatnonzero(starts), len(ordered[0])))
    return int(np.sum(sizes * (sizes - 1) // 2))


def pairs_of(human: np.ndarray) -> np.ndarray:
    """Count the pairs of each row."""
    scored = np.sum(~np.isnan(human), axis=1)
    return np.asarray(scored * (scored - 1) // 2)


def calibrate(human: np.ndarray, metric: np.ndarray) -> tuple[float, float]:
    """Find the threshold of a tie that maximises the sum over rows of the pairwise accuracy, and that sum.

    The search is exact: it tries zero and every observed difference, and takes the smallest of the best. A pair
    beyond the threshold counts if it is concordant, one up to it if people tie; so one sort and one running sum
    suffice.
    """
    weights = 1.0 / np.maximum(pairs_of(human), 1)
    agreed, tied, tied_weights = [np.zeros((0, len(human)))], [np.zeros(0)], [np.zeros(0)]
    for by_human, by_metric in pair_differences(human, metric):
        ties = by_human == 0
        forward = np.where(by_human < 0, -by_metric, by_metric)  # positive where both go the same way
        agreed.append(np.where((forward > 0) & ~ties, forward, np.inf))
        tied.append(np.abs(by_metric[ties]))
        tied_weights.append(np.broadcast_to(weights, ties.shape)[ties])
    return best_threshold(np.concatenate(agreed), weights, np.concatenate(tied), np.concatenate(tied_weights))


def best_threshold(
    agreed: np.ndarray, weights: np.ndarray, tied: np.ndarray, tied_weights: np.ndarray
) -> tuple[float, float]:
    """Find the smallest threshold that maximises the weight of human ties up to it and concordant pairs beyond it.

    A threshold up to which concordant pairs weigh more than all human ties together cannot be the best, so only the
    smallest concordant differences need to be sorted.

    :param agreed: pairs x rows, the metric's differences if it agrees with people, else infinity
    :param weights: of the pairs of each row
    :param tied: the metric's differences of pairs on which people tie
    :return: the threshold and the weight
    """
    start = float(np.isfinite(agreed).sum(axis=0) @ weights)
    if not len(tied):
        return 0.0, start
    enough = min(int(tied_weights.sum() / weights.min()) + 1, agreed.size - 1)
    cut = np.partition(agreed.ravel(), enough)[enough] if agreed.size else 0.0
    low = (agreed <= cut) & np.isfinite(agreed)
    sizes = np.concatenate([tied, agreed[low]])
    gains = np.concatenate([tied_weights, -np.broadcast_to(weights, agreed.shape)[low]])
    order = np.argsort(sizes)
    sizes, running = sizes[order], np.cumsum(gains[order])
    last = np.append(sizes[1:] > sizes[:-1], True)  # equal sizes enter together
    sizes, running = sizes[last], running[last]
    at_zero = float(running[0]) if sizes[0] == 0 else 0.0
    best = float(running.max(initial=at_zero))
    slack = 1e-12 * max(1.0, float(np.abs(gains).sum()))  # sums of fractions differ in the last bit
    threshold = 0.0 if at_zero >= best - slack else float(sizes[np.argmax(running >= best - slack)])
    return threshold, start + best


def pair_differences(human: np.ndarray, metric: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the differences of all pairs of columns, as pairs x rows, some pairs at a time."""
    human, metric = np.ascontiguousarray(human.T), np.ascontiguousarray(metric.T)
    columns, rows = human.shape
    if columns * (columns - 1) // 2 * rows <= _AT_ONCE:
        first, second = np.triu_indices(columns, k=1)
        yield human[second] - human[first], metric[second] - metric[first]
        return
    for apart in range(1, columns):
        yield human[apart:] - human[:-apart], metric[apart:] - metric[:-apart]


def _agree(by_human: np.ndarray, by_metric: np.ndarray) -> np.ndarray:
    """True if both differences have the same sign (a product of tiny numbers could underflow)."""
    return ((by_human > 0) & (by_metric > 0)) | ((by_human < 0) & (by_metric < 0))
