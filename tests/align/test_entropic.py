"""Entropic transport: against POT's own log-domain solver, and its limits."""

from __future__ import annotations

import numpy as np
import pytest

from farthing.align.entropic import divergence, entropic
from farthing.align.transport import distances, transport


def clouds(seed: int, rows: int = 9, columns: int = 7) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    x, y = generator.normal(size=(rows, 4)), generator.normal(size=(columns, 4))
    return generator.random(rows), generator.random(columns), x, y


@pytest.mark.parametrize("regularisation", [10.0, 1.0, 0.1, 0.05])
def test_equal_to_pot(regularisation: float) -> None:
    import ot

    left, right, x, y = clouds(0)
    cost = distances(x, y, squared=True)
    a, b = left / left.sum(), right / right.sum()
    theirs = ot.bregman.sinkhorn_log(a, b, cost, regularisation, numItermax=100_000, stopThr=1e-12)
    plan = entropic(left, right, cost, regularisation, tolerance=1e-11)
    assert np.allclose(plan.flow, theirs, atol=1e-8)
    assert plan.cost == pytest.approx(float((theirs * cost).sum()), abs=1e-7)


@pytest.mark.parametrize("seed", range(3))
def test_between_the_exact_cost_and_that_of_the_product(seed: int) -> None:
    left, right, x, y = clouds(seed)
    left[2] = 0
    cost = distances(x, y, squared=True)
    exact = transport(left, right, cost).cost
    values = [entropic(left, right, cost, regularisation).cost for regularisation in (0.03, 0.1, 1.0, 1e4)]
    assert values == sorted(values)
    assert exact - 1e-9 <= values[0] <= exact + 0.05
    plan = entropic(left, right, cost, 1e-4)  # stops before it has converged
    assert exact - 1e-9 <= plan.cost <= exact * 1.1
    assert np.allclose(plan.flow.sum(axis=1), left / left.sum(), atol=1e-12)
    assert np.allclose(plan.flow.sum(axis=0), right / right.sum(), atol=1e-12)
    product = np.outer(left / left.sum(), right / right.sum())
    assert values[-1] == pytest.approx(float((product * cost).sum()), rel=1e-3)


def test_one_point_and_equal_points() -> None:
    one = np.ones(1)
    assert entropic(one, one, np.array([[2.5]]), 0.1).cost == pytest.approx(2.5)
    assert entropic(np.ones(3), np.ones(2), np.zeros((3, 2)), 0.001).cost == 0


def test_divergence_is_zero_for_equal_clouds_alone() -> None:
    left, right, x, y = clouds(1)
    assert divergence(left, left, x, x, 0.5) == pytest.approx(0, abs=1e-12)  # three times the same number
    assert divergence(left, right, x, y, 0.5) > 0.1
    assert entropic(left, left, distances(x, x, squared=True), 1.0).cost > 0.01  # what it takes away
