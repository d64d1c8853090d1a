"""The rows that are worth a label."""

from __future__ import annotations

import numpy as np
import pytest

from farthing.core.errors import UsageError
from farthing.judge.estimates import weighted_mean
from farthing.judge.next_labels import count_for_width, expected_errors, next_labels


def world(seed: int, rows: int = 1500) -> tuple[np.ndarray, np.ndarray]:
    """Labels that are hard to predict if the score is low."""
    random = np.random.default_rng(seed)
    scores = random.uniform(0, 1, rows)
    return 50 * scores + random.normal(0, 1, rows) * np.where(scores < 0.3, 20, 3), scores


def test_hard_rows_are_chosen_more_often() -> None:
    truth, scores = world(0)
    random = np.random.default_rng(1)
    labels = np.where(random.random(len(truth)) < 0.06, truth, np.nan)
    sizes = expected_errors(labels, scores)
    assert sizes[scores < 0.2].mean() > 2 * sizes[scores > 0.6].mean()
    found = next_labels(labels, scores, np.full(len(truth), 0.06), 60)
    assert len(found.rows) == pytest.approx(60, abs=1)
    assert np.isnan(labels[found.rows]).all()
    assert (scores[found.rows] < 0.3).mean() > 0.4
    assert found.width is not None
    assert found.expected is not None
    assert found.expected < found.width


def test_the_chosen_labels_give_shorter_intervals_that_cover() -> None:
    chosen, even, covered = [], [], []
    for seed in range(40):
        truth, scores = world(seed)
        random = np.random.default_rng(seed + 1000)
        labels = np.where(random.random(len(truth)) < 0.05, truth, np.nan)
        found = next_labels(labels, scores, np.full(len(truth), 0.05), 75, seed)
        more = labels.copy()
        more[found.rows] = truth[found.rows]
        estimate = weighted_mean(more, scores, found.probabilities)
        limits = estimate.interval()
        covered.append(limits.low <= truth.mean() <= limits.high)
        chosen.append(estimate.width)
        evenly = np.where(random.random(len(truth)) < 0.1, truth, np.nan)
        even.append(weighted_mean(evenly, scores, np.full(len(truth), 0.1)).width)
    assert np.mean(covered) >= 0.9
    assert np.mean(chosen) < 0.95 * np.mean(even)


def test_without_labels_low_scores_come_first() -> None:
    scores = np.arange(200.0)
    found = next_labels(np.full(200, np.nan), scores, np.zeros(200), 40)
    assert found.width is None
    assert scores[found.rows].mean() < 99
    assert found.probabilities[found.rows].sum() > 0


def test_numbers_for_choosing() -> None:
    truth, scores = world(3)
    labels = np.where(np.arange(1500) % 10 == 0, truth, np.nan)
    few, many = count_for_width(labels, scores, 4.0), count_for_width(labels, scores, 2.5)
    assert few is not None
    assert many is not None
    assert few < many
    with pytest.raises(UsageError, match="every row has a label"):
        next_labels(np.ones(3), np.ones(3), np.ones(3), 1)
