"""Coefficients row by row, against scipy on the values that are there."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from farthing.meta.coefficients import kendall, pearson, ranks, spearman
from farthing.meta.pairwise import LONG

Coefficient = Callable[[np.ndarray, np.ndarray], np.ndarray]
PEERS: dict[str, tuple[Coefficient, Callable[..., object]]] = {
    "pearson": (pearson, stats.pearsonr),
    "spearman": (spearman, stats.spearmanr),
    "kendall_b": (kendall, stats.kendalltau),
    "kendall_c": (lambda human, metric: kendall(human, metric, "c"), lambda *x: stats.kendalltau(*x, variant="c")),
}


def with_gaps(rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows with ties and gaps, the gaps at the same places."""
    random = np.random.default_rng(columns)
    human = random.integers(0, 6, (rows, columns)).astype(float)
    metric = human + random.integers(0, 5, human.shape)
    gaps = random.random(human.shape) < 0.2
    return np.where(gaps, np.nan, human), np.where(gaps, np.nan, metric)


@pytest.mark.parametrize("name", PEERS)
@pytest.mark.parametrize("columns", [8, LONG, LONG + 1])
def test_each_row_equals_scipy_without_its_gaps(name: str, columns: int) -> None:
    coefficient, peer = PEERS[name]
    human, metric = with_gaps(5, columns)
    for people, scores, value in zip(human, metric, coefficient(human, metric), strict=True):
        kept = ~np.isnan(people)
        assert value == pytest.approx(peer(people[kept], scores[kept]).statistic, abs=1e-12)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", PEERS)
@pytest.mark.parametrize("columns", [4, LONG + 1])
def test_rows_that_define_nothing_are_nan(name: str, columns: int) -> None:
    varied = np.arange(columns, dtype=float)
    constant, one = np.full(columns, 0.1), np.full(columns, np.nan)
    one[2] = 7.0
    human = np.stack([constant, varied, one, np.full(columns, np.nan), varied])
    metric = np.stack([varied, constant, one, np.full(columns, np.nan), varied])
    values = PEERS[name][0](human, metric)
    assert np.isnan(values[:4]).all()
    assert values[4] == pytest.approx(1)


@pytest.mark.parametrize("name", PEERS)
def test_the_order_of_judges_is_indifferent_and_a_sign_turns_the_value(name: str) -> None:
    coefficient, _ = PEERS[name]
    human, metric = with_gaps(3, 20)
    values = coefficient(human, metric)
    assert coefficient(metric, human) == pytest.approx(values, abs=1e-12)
    assert coefficient(human, -metric) == pytest.approx(-values, abs=1e-12)


def test_ranks_share_the_mean_of_ties_and_keep_gaps() -> None:
    found = ranks(np.array([[3.0, np.nan, 1.0, 3.0], [np.nan] * 4]))
    assert found[0].tolist() == pytest.approx([2.5, np.nan, 1, 2.5], nan_ok=True)
    assert np.isnan(found[1]).all()


def test_pearson_never_leaves_its_range() -> None:
    human = np.array([[0.1, 0.2, 0.3]])  # the products of a line's deviations may round to more than one
    for factor in (1.0, 3.0, 1e8, 1e-8):
        assert 1 - 1e-9 < pearson(human, factor * human)[0] <= 1
