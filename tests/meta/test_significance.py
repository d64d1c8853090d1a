"""Tests between metrics: a closed form, brute force, and simulations of how often they reject."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import farthing
from farthing.core.errors import UsageError
from farthing.meta import significance
from farthing.meta.correlation import correlate
from farthing.meta.ranking import clusters, p_matrix, unbeaten
from farthing.meta.significance import Difference, bootstrap, permutation, system_means, williams, williams_test

Data = tuple[np.ndarray, np.ndarray, np.ndarray]


def test_williams_golden(shared: Path) -> None:
    assert farthing.meta.williams(0.8, 0.7, 0.9, 100) == pytest.approx(0.00019574, abs=5e-9)
    for case in json.loads((shared / "golden" / "meta_evaluation.json").read_text()):
        expected = dict(case["expected"]["williams_one_sided"])
        assert expected.pop("p") == pytest.approx(williams(**expected), abs=1e-9)
        human, first, second = (np.array(case[name], dtype=float) for name in ("gold_full", "metric", "other"))
        assert williams_test(human, first, second).p_value == pytest.approx(williams(**expected), abs=1e-9)


def test_williams_counts_only_what_people_scored() -> None:
    random = np.random.default_rng(0)
    human = random.normal(size=60)
    first, second = human + random.normal(size=60), human + 2 * random.normal(size=60)
    gaps = human.copy()
    gaps[30:] = np.nan
    half = williams_test(human[:30], first[:30], second[:30])
    assert williams_test(gaps, first, second).p_value == pytest.approx(half.p_value, abs=1e-12)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [((0.8, 0.7, 0.9, 3), "four"), ((1.2, 0.7, 0.9, 30), "between"), ((0.9, -0.9, 0.9, 30), "no three")],
)
def test_williams_refuses_what_cannot_be(arguments: Any, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        williams(*arguments)


def test_williams_limits() -> None:
    assert williams(0.5, 0.5, 1.0, 50) == 0.5
    assert williams(0.9, 0.2, 0.3, 50) + williams(0.2, 0.9, 0.3, 50) == pytest.approx(1)


def draw(random: np.random.Generator, items: int, edge: float = 0.0, systems: int = 1) -> Data:
    """People and two metrics, the first of which has `edge` less noise."""
    human = random.normal(size=(systems, items))
    first = human + (1 - edge) * random.normal(size=human.shape)
    return human, first, 3 * (human + random.normal(size=human.shape)) - 7


TESTS: dict[str, tuple[Callable[..., Difference], int, int]] = {
    "williams": (lambda human, first, second, _: williams_test(human, first, second), 1, 80),
    "permutation pearson": (
        lambda *data: permutation(*data[:3], resamples=200, seed=data[3]),
        1,
        80,
    ),
    "permutation spearman": (
        lambda *data: permutation(*data[:3], "spearman", resamples=200, seed=data[3]),
        1,
        80,
    ),
    "permutation of items": (
        lambda *data: permutation(*data[:3], "accuracy", "item", resamples=200, seed=data[3]),
        5,
        60,
    ),
    "permutation calibrated": (
        lambda *data: permutation(*data[:3], "accuracy_calibrated", "item", resamples=200, seed=data[3]),
        5,
        60,
    ),
    "bootstrap pearson": (lambda *data: bootstrap(*data[:3], resamples=300, seed=data[3]), 1, 120),
    "bootstrap of items": (
        lambda *data: bootstrap(*data[:3], "kendall_b", "item", resamples=300, seed=data[3]),
        5,
        60,
    ),
}


@pytest.mark.parametrize("name", TESTS)
def test_equal_metrics_are_told_apart_as_often_as_promised(name: str) -> None:
    test, systems, items = TESTS[name]
    random = np.random.default_rng(20)
    found = [test(*draw(random, items, systems=systems), trial).p_value < 0.05 for trial in range(2000)]
    assert 0.035 <= np.mean(found) <= 0.065


@pytest.mark.parametrize("name", TESTS)
def test_power_grows_with_the_data(name: str) -> None:
    test, systems, items = TESTS[name]
    random = np.random.default_rng(21)
    power = [
        np.mean([test(*draw(random, size, 0.3, systems), trial).p_value < 0.05 for trial in range(150)])
        for size in (items // 2, items, 4 * items)
    ]
    assert power[0] < power[1] < power[2]
    assert power[2] > 0.9


def test_permutation_equals_all_permutations() -> None:
    human, first, second = draw(np.random.default_rng(3), 9, 0.5)
    swaps = [np.array(bits)[None] for bits in itertools.product([False, True], repeat=9)]
    one, two = ((scores - scores.mean()) / scores.std() for scores in (first, second))
    every = [
        correlate(human, np.where(swap, two, one)).value - correlate(human, np.where(swap, one, two)).value
        for swap in swaps
    ]
    observed = correlate(human, first).value - correlate(human, second).value
    exact = np.mean([value >= observed - 1e-12 for value in every])
    found = permutation(human, first, second, resamples=20_000, seed=5)
    assert found.difference == pytest.approx(observed)
    assert found.p_value == pytest.approx(exact, abs=0.015)


@pytest.mark.parametrize(
    ("statistic", "average"),
    [
        ("pearson", "none"),
        ("pearson", "item"),
        ("kendall_like(threshold=0.5)", "item"),
        ("accuracy_calibrated", "item"),
    ],
)
def test_sums_give_the_statistic_itself(statistic: str, average: Any) -> None:
    random = np.random.default_rng(8)
    human, first, second = draw(random, 30, 0.4, systems=4)
    human[random.random(human.shape) < 0.1] = np.nan
    # With one draw that takes each item once, the bootstrap is the observed difference.
    found = bootstrap(human, first, second, statistic, average, resamples=400, seed=1)
    expected = correlate(human, first, statistic, average).value - correlate(human, second, statistic, average).value
    assert found.difference == pytest.approx(expected)
    assert found.interval is not None
    assert found.interval[0] < expected < found.interval[1]


@pytest.mark.parametrize(
    ("statistic", "average", "level"),
    [
        ("kendall_b", "none", "segment"),
        ("accuracy(epsilon=0.1)", "system", "segment"),
        ("pearson", "system", "segment"),
        ("pearson", "none", "system"),
        ("accuracy", "none", "system"),
        ("soft_pairwise_accuracy(permutations=50)", "none", "system"),
    ],
)
def test_statistics_without_sums_are_resampled_too(statistic: str, average: Any, level: Any) -> None:
    random = np.random.default_rng(2)
    human = random.normal(size=(8, 40)) + 2 * random.normal(size=(8, 1))
    good, bad = human + 0.1 * random.normal(size=human.shape), random.normal(size=human.shape)
    for test in (permutation, bootstrap):
        found = test(human, good, bad, statistic, average, level=level, seed=1, resamples=60)
        assert found.p_value < 0.05 < found.p_reverse
        assert found == test(human, good, bad, statistic, average, level=level, seed=1, resamples=60)


def test_a_p_value_is_never_zero_and_depends_on_the_seed_only() -> None:
    human, first, second = draw(np.random.default_rng(3), 300, 0.9)
    found = permutation(human, first, second, resamples=99)
    assert found.p_value == 0.01
    assert permutation(human, first, second, resamples=99).p_value == found.p_value


def test_equal_metrics_share_everything() -> None:
    human, first, _ = draw(np.random.default_rng(3), 50)
    found = permutation(human, first, first, resamples=99)
    assert (found.difference, found.p_value, found.p_reverse) == (0, 1, 1)


def test_ranks_and_the_unbeaten() -> None:
    random = np.random.default_rng(4)
    human = random.normal(size=(1, 400))
    metrics = [human + noise * random.normal(size=human.shape) for noise in (3.0, 0.5, 0.5, 1.2)]
    p_values = p_matrix(human, metrics, williams_test)
    assert np.diag(p_values).tolist() == [1, 1, 1, 1]
    assert unbeaten(p_values).tolist() == [False, True, True, False]
    assert clusters([correlate(human, metric).value for metric in metrics], p_values) == [3, 1, 1, 2]


def test_system_means_skip_gaps() -> None:
    means = system_means(np.array([[1.0, np.nan, 3.0], [np.nan] * 3]))
    assert means[0] == 2
    assert np.isnan(means[1])


def test_wrong_calls() -> None:
    data = draw(np.random.default_rng(0), 10)
    with pytest.raises(UsageError, match="at least one resample"):
        permutation(*data, resamples=0)
    with pytest.raises(UsageError, match="level"):
        bootstrap(*data, level="corpus")  # type: ignore[arg-type]


HUMAN = np.array([[1.0, 2.0, 3.0, 4.0, 5.5]])
FIRST, SECOND = np.array([[1.0, 2.5, 3.0, 4.0, 5.0]]), np.array([[2.0, 1.0, 4.0, 3.0, 5.0]])


def test_p_of_the_permutation_counts_ties_and_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of three defined permutations are at least as good as what was observed, two at most: (2 + 1) / (3 + 1)."""
    observed = significance.permutation(HUMAN, FIRST, SECOND, resamples=1).difference
    found = np.array([observed - 1, observed, observed + 1, np.nan])
    monkeypatch.setattr(significance, "_swapped_sums", lambda sums, count, random: found)
    difference = significance.permutation(HUMAN, FIRST, SECOND)
    assert (difference.difference, difference.p_value, difference.p_reverse) == (observed, 0.75, 0.75)
    found = found[:1]
    difference = significance.permutation(HUMAN, FIRST, SECOND)
    assert (difference.p_value, difference.p_reverse) == (0.5, 1.0)


def test_p_of_the_bootstrap_counts_zero_on_both_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    found = np.array([-1.0, 0.0, 1.0, 2.0, np.nan])
    monkeypatch.setattr(significance, "_drawn_sums", lambda sums, count, random: found)
    difference = significance.bootstrap(HUMAN, FIRST, SECOND)
    assert (difference.p_value, difference.p_reverse) == (0.6, 0.8)
    assert difference.interval == pytest.approx((-1 + 0.025 * 3, -1 + 0.975 * 3))
    found = np.array([np.nan, np.nan])
    with pytest.raises(UsageError, match="no bootstrap sample has a defined statistic"):
        significance.bootstrap(HUMAN, FIRST, SECOND)


def test_blocks_cover_all_resamples_in_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(significance, "_BLOCK", 6)
    blocks = {width: list(significance._blocks(10, width)) for width in (0, 1, 2, 6, 100)}
    assert blocks == {0: [6, 4], 1: [6, 4], 2: [3, 3, 3, 1], 6: [1] * 10, 100: [1] * 10}


def test_draws_are_counted_row_by_row() -> None:
    counts = significance._draw_counts(3, 4, np.random.default_rng(5))
    drawn = np.random.default_rng(5).integers(4, size=(3, 4))
    assert counts.tolist() == [[float(np.sum(row == unit)) for unit in range(4)] for row in drawn]
