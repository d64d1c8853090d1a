"""Prediction-powered means against ppi-python, brute force and simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from farthing.core.errors import UsageError
from farthing.judge.estimates import (
    Estimate,
    classical_mean,
    equivalent_labels,
    fitted_line,
    labels_needed,
    powered_mean,
    skewness_of,
    unskewed,
    weighted_mean,
)


def drawn(seed: int, labels: int = 120, others: int = 900) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    truth = random.normal(70, 12, labels + others)
    predicted = truth + random.normal(3, 9, labels + others)
    return truth[:labels], predicted[:labels], predicted[labels:]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("power", [None, 0.0, 0.4, 1.0])
def test_means_and_intervals_equal_those_of_ppi_python(seed: int, power: float | None) -> None:
    ppi = pytest.importorskip("ppi_py", reason="ppi-python is not installed")
    labels, predicted, others = drawn(seed)
    found = powered_mean(labels, predicted, others, power)
    assert found.mean == pytest.approx(ppi.ppi_mean_pointestimate(labels, predicted, others, lam=power), abs=1e-6)
    low, high = ppi.ppi_mean_ci(labels, predicted, others, alpha=0.05, lam=power)
    plain = Estimate(found.mean, found.error, found.labels).interval()  # ours has Student's quantile and a skewness
    assert (plain.low, plain.high) == pytest.approx((float(low[0]), float(high[0])), abs=1e-6)


def test_the_classical_mean_is_that_of_a_t_test() -> None:
    labels = drawn(0)[0]
    found = classical_mean(labels)
    low, high = stats.t.interval(0.95, len(labels) - 1, labels.mean(), stats.sem(labels))
    plain = Estimate(found.mean, found.error, found.labels, found.freedom).interval()
    assert (plain.low, plain.high) == pytest.approx((low, high))
    zero = Estimate(found.mean - 70, found.error, found.labels, found.freedom)
    assert zero.p_value() == pytest.approx(stats.ttest_1samp(labels, 70).pvalue)


def test_the_skewness_is_that_of_scipy() -> None:
    values = np.random.default_rng(0).gamma(1.0, size=80)
    assert skewness_of(values) == pytest.approx(stats.skew(values) / math.sqrt(80))
    assert skewness_of(np.ones(5)) == 0


@pytest.mark.parametrize("skewness", [-0.3, -0.1, 0.2, 0.3])
@pytest.mark.parametrize("statistic", [-2.5, -1.0, 0.3, 1.96])
def test_the_correction_of_skewness_inverts_halls_cubic(statistic: float, skewness: float) -> None:
    inner = unskewed(statistic, skewness)
    cubic = inner + skewness * inner**2 / 3 + skewness**2 * inner**3 / 27 + skewness / 6
    assert cubic == pytest.approx(statistic)


def test_weights_that_are_equal_give_the_regression_estimate() -> None:
    labels, predicted, others = drawn(1)
    every = np.concatenate([predicted, others])
    given = np.concatenate([labels, np.full(len(others), np.nan)])
    found = weighted_mean(given, every, np.full(len(every), len(labels) / len(every)))
    slope, start = np.polyfit(predicted, labels, 1)
    assert found.mean == pytest.approx(start + slope * every.mean())
    assert found.error == pytest.approx(powered_mean(labels, predicted, others).error, rel=0.03)


@pytest.mark.parametrize("kind", ["powered", "weighted"])
def test_intervals_cover(kind: str) -> None:
    """A seeded simulation: verdicts are skewed, probabilities differ by a factor of four."""
    covered, width, classical = [], [], []
    for seed in range(300):
        random = np.random.default_rng(seed)
        truth = 90 - random.gamma(2.0, 5.0, 1200)
        predicted = truth + random.normal(0, 5, len(truth))
        chances = np.where(predicted < np.median(predicted), 0.2, 0.05) if kind == "weighted" else np.full(1200, 0.125)
        labels = np.where(random.random(len(truth)) < chances, truth, np.nan)
        known = np.isfinite(labels)
        found = (
            weighted_mean(labels, predicted, chances)
            if kind == "weighted"
            else powered_mean(truth[known], predicted[known], predicted[~known])
        )
        limits = found.interval()
        covered.append(limits.low <= 80 <= limits.high)
        width.append(found.width)
        classical.append(classical_mean(truth[random.permutation(1200)[: known.sum()]]).width)
    assert np.mean(covered) == pytest.approx(0.95, abs=0.025)
    assert np.mean(width) < np.mean(classical)


def test_useless_predictions_hardly_cost_anything() -> None:
    random = np.random.default_rng(3)
    ratios = []
    for _ in range(50):
        labels, noise = random.normal(size=100), random.normal(size=1000)
        ratios.append(powered_mean(labels, noise[:100], noise[100:]).width / classical_mean(labels).width)
    assert max(ratios) < 1.03


def test_a_line_is_fitted_by_weighted_least_squares() -> None:
    random = np.random.default_rng(4)
    given, weights = random.normal(size=30), random.uniform(0.5, 5, 30)
    wanted = 3 + 2 * given + random.normal(size=30)
    slope, start = np.polyfit(given, wanted, 1, w=np.sqrt(weights))
    assert fitted_line(given, wanted, weights) == pytest.approx((start, slope))
    assert fitted_line(given, -wanted, weights)[1] == 0
    assert fitted_line(np.ones(3), np.array([1.0, 2, 3]), np.ones(3)) == (2, 0)


def test_equivalent_labels_and_labels_needed_agree_with_what_is_measured() -> None:
    labels, predicted, others = drawn(5, 400, 4000)
    found = powered_mean(labels, predicted, others)
    assert equivalent_labels(found, float(labels.std(ddof=1))) > 600
    assert labels_needed(labels, predicted, others, found.width, 4400) == pytest.approx(400, rel=0.1)
    assert labels_needed(labels, predicted, others, 1e-6, 4400) is None
    assert equivalent_labels(Estimate(1.0, 0.0, 3), 1.0) == math.inf


def test_too_few_labels_are_a_sentence() -> None:
    with pytest.raises(UsageError, match="2 labels are too few"):
        powered_mean(np.ones(2), np.ones(2), np.ones(5))
    with pytest.raises(UsageError, match="probability 0"):
        weighted_mean(np.array([1.0, 2, 3]), np.ones(3), np.array([0.5, 0.5, 0]))
    assert powered_mean(np.arange(4.0), np.ones(4), np.ones(0)) == classical_mean(np.arange(4.0))


def test_few_far_values_cost_degrees_of_freedom() -> None:
    """The variance of normal terms has about as many as terms; that of a few drawn rows has about as many as these."""
    random = np.random.default_rng(4)
    labels, predicted = random.normal(0, 1, 2000), np.zeros(2000)
    assert weighted_mean(labels, predicted, np.ones(2000)).freedom > 1500
    few = np.where(np.arange(2000) % 40 == 0, labels, np.nan)
    assert 25 < weighted_mean(few, predicted, np.full(2000, 1 / 40)).freedom < 50


def test_no_mean_lies_beyond_the_scale() -> None:
    limits = Estimate(98.0, 2.0, 30, bounds=(0.0, 100.0)).interval()
    assert (limits.mean, limits.high) == (98, 100)
    assert limits.low == pytest.approx(98 - 1.96 * 2, abs=0.01)
    assert Estimate(103.0, 2.0, 30, bounds=(0.0, 100.0)).interval().mean == 100
