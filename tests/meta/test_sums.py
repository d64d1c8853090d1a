"""Statistics from sums: any choice of units gives what the statistic gives on those units."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from farthing.core.specs import parse_spec
from farthing.meta.correlation import correlate
from farthing.meta.sums import as_sums, standardised


def scores(seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    human = random.integers(0, 100, size=(4, 9)).astype(float)
    first, second = (human + 30 * random.normal(size=human.shape) for _ in range(2))
    for values in (human, first, second):
        values[2, 3] = np.nan
    return human, first, second


@pytest.mark.parametrize("statistic", ["kendall_like(threshold=40)", "accuracy(epsilon=2)", "kendall_b", "pearson"])
def test_sums_over_drawn_items_are_the_statistic_of_these_items(statistic: str) -> None:
    human, first, second = scores()
    found = as_sums(human, first, second, parse_spec(statistic), "item", "item")
    assert found is not None
    drawn = np.array([0, 0, 3, 5, 8, 8, 8, 1])
    for sums, metric in ((found.first, first), (found.second, second)):
        value = found.values(sums[drawn].sum(axis=0)[None])[0]
        assert value == pytest.approx(correlate(human[:, drawn], metric[:, drawn], statistic, "item").value)


@pytest.mark.parametrize("unit", ["output", "item"])
def test_pearson_over_all_outputs(unit: Any) -> None:
    human, first, second = scores()
    found = as_sums(human, first, second, parse_spec("pearson"), "none", unit)
    assert found is not None
    assert len(found.first) == (human.size if unit == "output" else human.shape[1])
    assert found.values(found.first.sum(axis=0)[None])[0] == pytest.approx(correlate(human, first).value)


def test_spearman_is_pearson_of_ranks() -> None:
    human, first, second = scores()
    found = as_sums(human, first, second, parse_spec("spearman"), "none", "output")
    assert found is not None
    assert found.values(found.second.sum(axis=0)[None])[0] == pytest.approx(correlate(human, second, "spearman").value)


def test_an_undefined_statistic_is_nan() -> None:
    human, first, _ = scores()
    found = as_sums(human, first, np.where(np.isnan(human), np.nan, 1.0), parse_spec("pearson"), "none", "output")
    assert found is not None
    assert np.isnan(found.values(found.second.sum(axis=0)[None])[0])


@pytest.mark.parametrize(("statistic", "average"), [("kendall_b", "none"), ("soft_pairwise_accuracy", "item")])
def test_some_statistics_are_no_function_of_sums(statistic: str, average: Any) -> None:
    assert as_sums(*scores(), parse_spec(statistic), average, "item") is None


def test_standardised_scores_have_mean_0_and_deviation_1() -> None:
    found = standardised(scores()[1])
    assert (np.nanmean(found), np.nanstd(found)) == (pytest.approx(0, abs=1e-12), pytest.approx(1))
    assert standardised(np.array([[3.0, 3.0]])).tolist() == [[0, 0]]
