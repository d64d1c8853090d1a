"""Metrics in order, against the definition of clusters and of the unbeaten."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from farthing.meta.ranking import clusters, p_matrix, unbeaten
from farthing.meta.significance import Difference, williams_test


def by_means(human: np.ndarray, first: np.ndarray, second: np.ndarray) -> Difference:
    """A test whose p is easy to foresee."""
    difference = float(np.mean(first - second))
    return Difference(difference, 0.5 - difference / 2, 0.5 + difference / 2)


def test_every_pair_is_tested_once_and_read_both_ways() -> None:
    means = np.array([0.1, 0.9, 0.4])
    calls = []

    def test(human: np.ndarray, first: np.ndarray, second: np.ndarray) -> Difference:
        calls.append((first[0], second[0]))
        return by_means(human, first, second)

    found = p_matrix(np.zeros(4), [np.full(4, mean) for mean in means], test)
    expected = np.where(np.eye(3) > 0, 1, 0.5 - (means[:, None] - means) / 2)
    assert found == pytest.approx(expected)
    assert calls == [(0.1, 0.9), (0.1, 0.4), (0.9, 0.4)]


def test_one_metric_is_unbeaten_and_first() -> None:
    p_values = p_matrix(np.zeros(4), [np.zeros(4)], williams_test)
    assert p_values.tolist() == [[1]]
    assert unbeaten(p_values).tolist() == [True]
    assert clusters([0.3], p_values) == [1]


def test_alpha_is_the_limit_and_does_not_count_itself() -> None:
    p_values = np.array([[1, 0.05], [0.95, 1]])
    assert unbeaten(p_values).tolist() == [True, True]
    assert unbeaten(p_values, 0.06).tolist() == [True, False]
    assert clusters([0.5, 0.2], p_values) == [1, 1]
    assert clusters([0.5, 0.2], p_values, 0.06) == [1, 2]


def test_a_cluster_ends_at_the_first_metric_that_any_member_beats() -> None:
    # The first beats the third, but not the second; the second beats neither. The fourth is beaten by the third.
    p_values = np.ones((4, 4))
    p_values[0, 2] = p_values[2, 3] = 0.01
    assert clusters([0.9, 0.8, 0.7, 0.6], p_values) == [1, 1, 2, 3]
    p_values[0, 3], p_values[2, 3] = 0.01, 1.0  # who beats it must be of its own cluster
    assert clusters([0.9, 0.8, 0.7, 0.6], p_values) == [1, 1, 2, 2]


@given(st.integers(0, 1000), st.integers(1, 7))
def test_ranks_fall_with_the_values_and_are_dense(seed: int, count: int) -> None:
    random = np.random.default_rng(seed)
    values, p_values = random.permutation(count).astype(float), random.random((count, count)) / 5
    np.fill_diagonal(p_values, 1)
    ranks = clusters(values.tolist(), p_values)
    in_order = [ranks[place] for place in np.argsort(-values)]
    assert in_order[0] == 1
    assert set(np.diff(in_order).tolist()) <= {0, 1}
    for rank in set(ranks):  # nobody beats a worse one of the same rank
        members = [place for place in np.argsort(-values) if ranks[place] == rank]
        assert all(p_values[a, b] >= 0.05 for i, a in enumerate(members) for b in members[i + 1 :])
    beaten = [any(p_values[other, place] < 0.05 for other in range(count)) for place in range(count)]
    assert unbeaten(p_values).tolist() == [not one for one in beaten]
