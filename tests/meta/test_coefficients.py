"""Correlation coefficients of rows with gaps, against scipy on each row without them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from farthing.meta.coefficients import kendall, pearson, ranks, spearman

NAN = np.nan


def rows_with_gaps(columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Three rows with ties and gaps; both inputs have the same gaps."""
    random = np.random.default_rng(columns)
    human = random.integers(0, 6, size=(3, columns)).astype(float)
    metric = np.round(human + random.normal(size=human.shape), 1)
    gaps = random.random(human.shape) < 0.2
    human[gaps] = metric[gaps] = NAN
    return human, metric


@pytest.mark.parametrize("columns", [9, 250])  # short rows are compared pair by pair, long ones are sorted
def test_each_row_is_what_scipy_says_without_the_gaps(columns: int) -> None:
    human, metric = rows_with_gaps(columns)
    peers = {
        pearson: lambda a, b: stats.pearsonr(a, b).statistic,
        spearman: lambda a, b: stats.spearmanr(a, b).statistic,
        kendall: lambda a, b: stats.kendalltau(a, b).statistic,
    }
    for ours, peer in peers.items():
        kept = ~np.isnan(human)
        expected = [peer(a[k], b[k]) for a, b, k in zip(human, metric, kept, strict=True)]
        assert ours(human, metric) == pytest.approx(np.array(expected), abs=1e-12)


def test_tau_c_counts_the_distinct_values_of_the_row() -> None:
    human, metric = rows_with_gaps(12)
    kept = ~np.isnan(human)
    expected = [
        stats.kendalltau(a[k], b[k], variant="c").statistic for a, b, k in zip(human, metric, kept, strict=True)
    ]
    assert kendall(human, metric, "c") == pytest.approx(np.array(expected), abs=1e-12)


@pytest.mark.parametrize("coefficient", [pearson, spearman, kendall])
@pytest.mark.parametrize("columns", [4, 210])
def test_a_constant_row_is_undefined(coefficient, columns: int) -> None:  # type: ignore[no-untyped-def]
    rising = np.arange(float(columns))[None]
    assert np.isnan(coefficient(np.full((1, columns), 0.1), rising)[0])
    assert np.isnan(coefficient(rising, np.full((1, columns), 0.1))[0])


def test_tied_values_share_their_mean_rank_and_gaps_stay() -> None:
    assert ranks(np.array([[3.0, NAN, 1.0, 3.0]])) == pytest.approx(np.array([[2.5, NAN, 1.0, 2.5]]), nan_ok=True)
