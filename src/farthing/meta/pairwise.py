"""Statistics over pairs of outputs: does the metric order them as people do?

All rows of a matrix are compared at once, one distance between columns at a time: no index is built, and the
memory stays that of the matrix. NaN marks a gap; a pair with a gap does not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from farthing.core.errors import UsageError

MOST_KEPT = 200_000_000  # differences held at once for a calibration: 1.6 GB


@dataclass(frozen=True, slots=True)
class PairCounts:
    """For each row, pairs by their outcome; a pair tied on both sides is in both counts of ties."""

    concordant: np.ndarray
    discordant: np.ndarray
    human_ties: np.ndarray
    metric_ties: np.ndarray
    both_ties: np.ndarray
    all: np.ndarray

    @property
    def accuracy(self) -> np.ndarray:
        """Share of pairs on which both agree, ties included; NaN for a row without pairs."""
        with np.errstate(invalid="ignore"):
            return np.asarray((self.concordant + self.both_ties) / self.all)


def count_pairs(human: np.ndarray, metric: np.ndarray, epsilon: float = 0.0) -> PairCounts:
    """Count the pairs of each row; the metric ties where it differs by at most `epsilon`.

    >>> count_pairs(np.array([[1.0, 2.0, 2.0]]), np.array([[0.1, 0.2, 0.3]])).concordant
    array([2])
    """
    totals = np.zeros((6, len(human)), dtype=np.int64)
    for by_human, by_metric in differences(human, metric):
        valid = ~np.isnan(by_human)
        human_tie, metric_tie = by_human == 0, np.abs(by_metric) <= epsilon
        clear = valid & ~human_tie & ~metric_tie
        agree = clear & _agree(by_human, by_metric)
        outcomes = (agree, clear & ~agree, human_tie, metric_tie & valid, human_tie & metric_tie, valid)
        for total, outcome in zip(totals, outcomes, strict=True):
            total += np.count_nonzero(outcome, axis=1)
    return PairCounts(*totals)


def kendall_like(human: np.ndarray, metric: np.ndarray, threshold: float) -> tuple[np.ndarray, np.ndarray]:
    """Concordant and discordant pairs of each row among those that people tell apart by `threshold` or more.

    A pair on which the metric ties is discordant, as in the metrics tasks of WMT.
    """
    concordant = np.zeros(len(human), dtype=np.int64)
    every = np.zeros(len(human), dtype=np.int64)
    for by_human, by_metric in differences(human, metric):
        told_apart = (np.abs(by_human) >= threshold) & (by_human != 0)
        every += np.count_nonzero(told_apart, axis=1)
        concordant += np.count_nonzero(told_apart & _agree(by_human, by_metric), axis=1)
    return concordant, every - concordant


def calibrate(human: np.ndarray, metric: np.ndarray) -> float:
    """The threshold of a tie that makes the mean over rows of the pairwise accuracy greatest.

    Exact: every observed difference and zero are tried, the smallest best one wins. Beyond the threshold a pair
    counts where it is concordant, below it where people tie; so one sort and one running sum suffice.
    """
    pairs = count_pairs(human, metric).all
    if pairs.sum() > MOST_KEPT:
        raise UsageError(
            f"calibrating ties over {pairs.sum():,} pairs needs too much memory: average by item, or split the data"
        )
    with np.errstate(divide="ignore"):
        weights = np.where(pairs > 0, 1.0 / pairs, 0.0)
    sizes, gains = [], []
    for by_human, by_metric in differences(human, metric):
        gain = (by_human == 0).astype(float) - _agree(by_human, by_metric)
        changes = gain != 0
        sizes.append(np.abs(by_metric)[changes])
        gains.append((gain * weights[:, None])[changes])
    return best_threshold(np.concatenate(sizes or [np.zeros(0)]), np.concatenate(gains or [np.zeros(0)]))


def best_threshold(sizes: np.ndarray, gains: np.ndarray) -> float:
    """The smallest size up to which the sum of the gains is greatest; 0 where no sum is better than at 0."""
    order = np.argsort(sizes, kind="stable")
    sizes, running = sizes[order], np.cumsum(gains[order])
    last = np.append(np.diff(sizes) > 0, True)[: len(sizes)]  # equal sizes enter together
    sizes, running = sizes[last], running[last]
    at_zero = float(running[0]) if len(sizes) and sizes[0] == 0 else 0.0
    best = max(at_zero, float(running.max(initial=at_zero)))
    slack = 1e-12 * max(1.0, float(np.abs(gains).sum()))  # sums of fractions differ in the last bit
    if at_zero >= best - slack:
        return 0.0
    return float(sizes[np.argmax(running >= best - slack)])


def differences(human: np.ndarray, metric: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The differences of all columns that stand 1, 2, 3 … apart, for all rows at once."""
    human = np.where(np.isnan(metric), np.nan, human)
    for apart in range(1, human.shape[1]):
        yield human[:, apart:] - human[:, :-apart], metric[:, apart:] - metric[:, :-apart]


def _agree(by_human: np.ndarray, by_metric: np.ndarray) -> np.ndarray:
    """True where both differences go the same way (a product of tiny numbers could vanish)."""
    return ((by_human > 0) & (by_metric > 0)) | ((by_human < 0) & (by_metric < 0))
