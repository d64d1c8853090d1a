"""All pairs of systems: Holm's correction against statsmodels, ranks and clusters by brute force."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farthing.scoring.all_pairs import holm, ranked, run_all_pairs
from farthing.scoring.resampling import Resampled, ResampledSets, pair_significance

Rows = Callable[[np.ndarray], Resampled]


@pytest.fixture(scope="module")
def peer() -> Any:
    """Statsmodels, imported outside the test: hypothesis traces what a test imports, which takes minutes."""
    return pytest.importorskip("statsmodels.stats.multitest", reason="statsmodels is not here")


@settings(max_examples=30)  # the peer collects garbage in each call, which takes a fifth of a second
@given(p_values=st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_agrees_with_statsmodels(peer: Any, p_values: list[float]) -> None:
    assert holm(p_values) == pytest.approx(peer.multipletests(p_values, method="holm")[1].tolist())


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.02, 0.03, 0.005]) == pytest.approx([0.03, 0.04, 0.04, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]


@given(st.integers(1, 7).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.integers(0, n * n)))))
def test_ranks_and_clusters_by_brute_force(drawn: tuple[int, set[int]]) -> None:
    count, chosen = drawn
    names = [f"s{number}" for number in range(count)]
    beats = {pair: place in chosen for place, pair in enumerate(combinations(names, 2))}
    ranking = ranked(names, beats)
    assert [one.system for one in ranking] == names
    for one in ranking:
        better = [name for name in names if beats.get((name, one.system))]
        worse = [name for name in names if beats.get((one.system, name))]
        assert (one.best, one.worst) == (1 + len(better), count - len(worse))
    for (place, first), second in zip(enumerate(ranking), ranking[1:], strict=False):
        apart = all(beats[a.system, b.system] for a in ranking[: place + 1] for b in ranking[place + 1 :])
        assert (second.cluster > first.cluster) == apart
    assert all(second.cluster - first.cluster in (0, 1) for first, second in pairwise(ranking))


def test_two_good_systems_and_a_bad_one(rows: Rows) -> None:
    random = np.random.default_rng(0)
    base = random.normal(size=400)
    systems = {"bad": rows(base - 1), "good": rows(base), "same": rows(base + random.normal(scale=0.5, size=400))}
    found = run_all_pairs(systems, test="randomization")
    assert {one.system: (one.rank, one.cluster) for one in found.ranking} == {
        "good": ("1-2", 1), "same": ("1-2", 1), "bad": ("3", 2),
    }  # fmt: skip
    down = run_all_pairs(systems, higher_is_better=False, test="randomization")
    assert down.ranking[0].system == "bad"
    for one in found.outcomes:
        alone = pair_significance(systems[one.worse], systems[one.better], "randomization", found.resamples)
        assert (one.difference, one.p_value) == (alone.difference, alone.p_value)
        assert one.difference >= 0


def test_many_pairs_are_tested_with_enough_resamples(rows: Rows) -> None:
    systems = {str(level): rows(np.full(50, level) + np.arange(50)) for level in np.arange(0, 8.0)}
    found = run_all_pairs(systems)
    assert found.resamples == 2800
    assert found.enough
    assert [one.cluster for one in found.ranking] == list(range(1, 9))
    assert not run_all_pairs(systems, resamples=100).enough


def test_equal_systems_are_told_apart_in_one_test_of_twenty(rows: Rows) -> None:
    """The bootstrap of all pairs is centred; sacrebleu's rule takes absolute values first and rejects more often."""
    random = np.random.default_rng(1)
    hits = {True: 0, False: 0}
    for trial in range(300):
        pair = [rows(random.normal(size=60)) for _ in range(2)]
        for centred in hits:
            hits[centred] += pair_significance(*pair, resamples=300, seed=trial, centred=centred).p_value < 0.05
    assert 0.02 < hits[True] / 300 < 0.09
    assert hits[False] > 1.4 * hits[True]


def test_sets_are_ranked_by_their_own_draws() -> None:
    random = np.random.default_rng(2)
    systems = {name: ResampledSets(score, random.normal(score, 0.1, 500)) for name, score in (("a", 1.0), ("b", 3.0))}
    found = run_all_pairs(systems, higher_is_better=False)
    assert [one.rank for one in found.ranking] == ["1", "2"]
    assert found.resamples == 500
