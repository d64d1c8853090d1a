"""The bootstrap in one pass: weights as the distribution says, intervals as the usual bootstrap finds them."""

from __future__ import annotations

from math import exp, factorial

import numpy as np
import pytest

from farthing.scoring.poisson import BLOCK, SAMPLES, PoissonBootstrap, _weights


def test_weights_follow_the_poisson_distribution() -> None:
    weights = np.concatenate([_weights(1, block).ravel() for block in range(4)])
    for count in range(6):
        assert (weights == count).mean() == pytest.approx(exp(-1) / factorial(count), abs=1e-3)
    assert weights.mean() == pytest.approx(1, abs=2e-3)
    assert weights.var() == pytest.approx(1, abs=4e-3)
    assert weights.max() >= 8


def test_weights_of_rows_and_samples_are_independent() -> None:
    weights = _weights(3, 0).astype(float)
    assert abs(np.corrcoef(weights[:300])[np.triu_indices(300, 1)].mean()) < 1e-2
    assert abs(np.corrcoef(weights[:, :300].T)[np.triu_indices(300, 1)].mean()) < 1e-2
    assert not np.array_equal(_weights(3, 0), _weights(3, 1))
    assert not np.array_equal(_weights(3, 0), _weights(4, 0))


@pytest.mark.parametrize("cuts", [(), (1,), (1024,), (100, 1500, 1501), (0, 2999)])
def test_how_the_rows_are_cut_makes_no_difference(cuts: tuple[int, ...]) -> None:
    rows = np.random.default_rng(0).normal(size=(3000, 2))
    whole, cut = PoissonBootstrap(2, seed=5), PoissonBootstrap(2, seed=5)
    whole.add(rows)
    for part in np.split(rows, cuts):
        cut.add(part)
        cut.total()  # looking at the sums does not change them
    assert np.array_equal(whole.total(), cut.total())
    by_hand = np.concatenate([_weights(5, block) for block in range(3)], axis=1)[:, :3000].astype(float)
    assert whole.total() == pytest.approx(np.column_stack([by_hand @ rows, by_hand.sum(axis=1)]))


def test_the_spread_of_a_mean_is_that_of_theory() -> None:
    """The mean of n values varies with their deviation divided by the root of n."""
    rows = np.random.default_rng(2).exponential(size=(20 * BLOCK, 1))
    bootstrap = PoissonBootstrap(1, seed=9)
    bootstrap.add(rows)
    sums = bootstrap.total()
    means = sums[:, 0] / sums[:, 1]
    assert len(means) == SAMPLES
    assert means.mean() == pytest.approx(rows.mean(), abs=1e-3)
    assert means.std() == pytest.approx(rows.std() / np.sqrt(len(rows)), rel=0.08)
