"""Bootstrap samples against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from farthing.metrics.sets.bootstrap import moved, percentile_interval, resampled_sums


def test_sums_have_the_mean_and_the_spread_of_the_bootstrap() -> None:
    rows = np.random.default_rng(0).random((50, 2))
    sums = resampled_sums(rows, 4000, seed=1, salt="x")
    assert sums.shape == (4000, 2)
    error = rows.std(axis=0) * np.sqrt(50)  # of one sum
    np.testing.assert_allclose(sums.mean(axis=0), rows.sum(axis=0), atol=4 * error.max() / np.sqrt(4000))
    np.testing.assert_allclose(sums.std(axis=0), error, rtol=0.05)


def test_rows_stay_together_and_whole_numbers_stay_whole() -> None:
    rows = np.array([[True, 3], [False, 5]])
    sums = resampled_sums(np.column_stack([rows, 2 * rows[:, 1]]), 100, seed=1, salt="x")
    np.testing.assert_array_equal(sums[:, 2], 2 * sums[:, 1])
    assert set(sums[:, 1].tolist()) == {6.0, 8.0, 10.0}


def test_seeds_and_salts_set_draws_apart() -> None:
    rows = np.arange(30.0)[:, None]
    first, again, salted, other = (
        resampled_sums(rows, 5, seed, salt).ravel().tolist() for seed, salt in ((1, "a"), (1, "a"), (1, "b"), (2, "a"))
    )
    assert first == again
    assert salted != first != other


def test_moved_scores_have_the_score_as_their_mean_unless_clipped() -> None:
    values = np.array([0.2, 0.4, 0.6])
    np.testing.assert_allclose(moved(values, 0.5), [0.3, 0.5, 0.7])
    np.testing.assert_allclose(moved(values, 0.9, highest=1.0), [0.7, 0.9, 1.0])
    assert moved(values, 0.0).min() == 0


def test_the_interval_leaves_out_a_fortieth_at_each_end() -> None:
    assert percentile_interval(np.linspace(0, 1, 401)) == pytest.approx((0.025, 0.975))
