"""Counts of pairs, against loops over all of them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from farthing.meta import pairwise
from farthing.meta.pairwise import accuracy, calibrate, count_pairs, kendall_like, pairs_of


def with_gaps(seed: int, rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    human = random.integers(0, 5, (rows, columns)).astype(float)
    metric = random.integers(0, 6, (rows, columns)) / 4
    gaps = random.random(human.shape) < 0.15
    return np.where(gaps, np.nan, human), np.where(gaps, np.nan, metric)


def one_by_one(people: np.ndarray, scores: np.ndarray, epsilon: float) -> tuple[int, ...]:
    """Concordant, discordant, human ties, metric ties, ties of both, all."""
    found = np.zeros(6, dtype=int)
    kept = np.flatnonzero(~np.isnan(people))
    for a, b in itertools.combinations(kept, 2):
        h, m = people[a] - people[b], scores[a] - scores[b]
        human_tie, metric_tie = h == 0, abs(m) <= epsilon
        agree = not human_tie and not metric_tie and (h > 0) == (m > 0)
        differ = not human_tie and not metric_tie and not agree
        found += [agree, differ, human_tie, metric_tie, human_tie and metric_tie, True]
    return tuple(found.tolist())


@pytest.mark.parametrize(("rows", "columns"), [(1, 2), (7, 5), (3, 60), (2, 320)])
@pytest.mark.parametrize("epsilon", [0.0, 0.25])
def test_counts_and_accuracy(rows: int, columns: int, epsilon: float) -> None:
    human, metric = with_gaps(columns, rows, columns)
    counts = count_pairs(human, metric, epsilon)
    shares = accuracy(human, metric, epsilon)
    for row in range(rows):
        expected = one_by_one(human[row], metric[row], epsilon)
        found = (
            counts.concordant,
            counts.discordant,
            counts.human_ties,
            counts.metric_ties,
            counts.both_ties,
            counts.all,
        )
        assert tuple(int(count[row]) for count in found) == expected
        if expected[-1]:
            assert shares[row] == pytest.approx((expected[0] + expected[4]) / expected[-1], abs=1e-12)
        else:
            assert np.isnan(shares[row])
    assert pairs_of(human).tolist() == counts.all.tolist()


@pytest.mark.parametrize("constant", ["human", "metric", "both"])
def test_long_rows_of_ties(constant: str) -> None:
    human, metric = (values[:, :300] for values in with_gaps(1, 1, 400))
    if constant in ("human", "both"):
        human = np.where(np.isnan(human), np.nan, 3.0)
    if constant in ("metric", "both"):
        metric = np.where(np.isnan(metric), np.nan, 0.5)
    expected = one_by_one(human[0], metric[0], 0.0)
    assert accuracy(human, metric)[0] == pytest.approx((expected[0] + expected[4]) / expected[-1], abs=1e-12)


def test_kendall_like_looks_at_clear_pairs_only() -> None:
    human, metric = with_gaps(3, 4, 9)
    agree, differ = kendall_like(human, metric, threshold=2)
    for row in range(4):
        kept = np.flatnonzero(~np.isnan(human[row]))
        pairs = [
            (human[row, a] - human[row, b], metric[row, a] - metric[row, b]) for a, b in itertools.combinations(kept, 2)
        ]
        clear = [(h, m) for h, m in pairs if abs(h) >= 2]
        right = sum(h * m > 0 for h, m in clear)
        assert (agree[row], differ[row]) == (right, len(clear) - right)


def test_tiny_differences_are_differences() -> None:
    human, metric = np.array([[0.0, 1e-200]]), np.array([[0.0, 1e-200]])
    assert count_pairs(human, metric).concordant.tolist() == [1]


def test_blocks_do_not_change_the_calibration(monkeypatch: pytest.MonkeyPatch) -> None:
    human, metric = with_gaps(5, 40, 12)
    whole = calibrate(human, metric)
    monkeypatch.setattr(pairwise, "_AT_ONCE", 0)
    assert calibrate(human, metric) == pytest.approx(whole, abs=1e-12)
