"""Statistics as functions of sums: equal to the statistic itself, on all units and on drawn ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from farthing.core.specs import parse_spec
from farthing.meta.correlation import correlate
from farthing.meta.sums import Sums, as_sums, standardised

BY_ITEM = [
    "pearson",
    "spearman",
    "kendall_b",
    "kendall_c",
    "kendall_like",
    "kendall_like(threshold=1)",
    "accuracy",
    "accuracy(epsilon=0.2)",
    "accuracy_calibrated",
]


@pytest.fixture
def data() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """People and two metrics, systems x items, with gaps at the same places; a metric far from zero."""
    random = np.random.default_rng(6)
    human = 20.0 * random.integers(0, 4, (5, 30))
    human[random.random(human.shape) < 0.15] = np.nan
    human[:, 4], human[1:, 9] = 40.0, np.nan  # an item without differences, and one with a single output
    noise = random.normal(size=(2, *human.shape))
    return human, human + 30 * noise[0], 1e4 + human / 7 + 9 * noise[1]


def found(sums: Sums, which: np.ndarray) -> np.ndarray:
    """The statistic of both metrics on some of the units."""
    return np.array([sums.values(part[which].sum(axis=0, keepdims=True))[0] for part in (sums.first, sums.second)])


@pytest.mark.parametrize("unit", ["output", "item"])
@pytest.mark.parametrize("statistic", ["pearson", "spearman"])
def test_a_correlation_over_everything(data: Any, statistic: str, unit: Any) -> None:
    human, first, second = data
    sums = as_sums(human, first, second, parse_spec(statistic), "none", unit)
    assert sums is not None
    assert len(sums.first) == (human.size if unit == "output" else human.shape[1])
    expected = [correlate(human, metric, statistic).value for metric in (first, second)]
    assert found(sums, np.arange(len(sums.first))) == pytest.approx(expected, abs=1e-9)


def test_drawn_items_give_the_correlation_of_their_outputs(data: Any) -> None:
    human, first, second = data
    sums = as_sums(human, first, second, parse_spec("pearson"), "none", "item")
    assert sums is not None
    draw = np.random.default_rng(1).integers(30, size=30)
    expected = [correlate(human[:, draw], metric[:, draw]).value for metric in (first, second)]
    assert found(sums, draw) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("statistic", BY_ITEM)
def test_an_average_over_items(data: Any, statistic: str) -> None:
    human, *metrics = data
    sums = as_sums(human, *metrics, parse_spec(statistic), "item", "output")
    assert sums is not None
    assert sums.first.shape == (30, 2)
    expected = [correlate(human, metric, statistic, "item").value for metric in metrics]
    assert found(sums, np.arange(30)) == pytest.approx(expected, abs=1e-12)
    if statistic != "accuracy_calibrated":  # whose threshold belongs to all items
        draw = np.random.default_rng(2).integers(30, size=30)
        expected = [correlate(human[:, draw], metric[:, draw], statistic, "item").value for metric in metrics]
        assert found(sums, draw) == pytest.approx(expected, abs=1e-12)


def test_swapped_outputs_give_the_correlation_of_the_swapped_metrics(data: Any) -> None:
    human, first, second = data
    sums = as_sums(human, first, second, parse_spec("pearson"), "none", "output")
    assert sums is not None
    swap = np.random.default_rng(3).random(human.shape) < 0.5
    moved = np.where(swap.ravel()[:, None], sums.second, sums.first).sum(axis=0, keepdims=True)
    expected = correlate(human, np.where(swap, standardised(second), standardised(first))).value
    assert sums.values(moved)[0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("statistic", "average"),
    [("kendall_b", "none"), ("accuracy", "none"), ("pearson", "system"), ("soft_pairwise_accuracy", "item")],
)
def test_other_statistics_are_no_functions_of_sums(data: Any, statistic: str, average: Any) -> None:
    assert as_sums(*data, parse_spec(statistic), average, "output") is None


def test_sums_that_define_nothing_are_nan() -> None:
    empty = np.zeros((0, 2))
    assert np.isnan(Sums(empty, empty, "ratio").values(np.zeros((1, 2)))).all()
    human = np.array([[1.0, 1.0, 1.0]])
    sums = as_sums(human, np.array([[1.0, 2, 3]]), human, parse_spec("pearson"), "none", "output")
    assert sums is not None
    assert np.isnan(found(sums, np.arange(3))).all()


def test_standardised_scores_have_mean_zero_and_deviation_one(data: Any) -> None:
    scaled = standardised(data[2])
    assert (np.nanmean(scaled), np.nanstd(scaled)) == (pytest.approx(0, abs=1e-9), pytest.approx(1))
    assert standardised(np.array([5.0, np.nan, 5.0])).tolist() == pytest.approx([0, np.nan, 0], nan_ok=True)
