"""Transport as published programs solve it."""

from __future__ import annotations

import numpy as np
import pytest

from farthing.align import published
from farthing.align.published import joint_flow, plan_solver, surplus_cost
from farthing.align.transport import distances, transport


def clouds(seed: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    return random.normal(size=(7, 5)), random.normal(size=(4, 5))


def test_the_joint_problem_costs_what_the_plain_one_does() -> None:
    left, right = clouds(0)
    cost = distances(left, right)
    exact = transport(np.ones(7), np.ones(4), cost)
    assert float((joint_flow(left, right) * cost).sum()) == pytest.approx(exact.cost, abs=1e-6)


def test_without_pyemd_the_plan_is_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(published, "pyemd_flow", lambda: None)
    left, right = clouds(1)
    assert plan_solver() == "exact"
    plan = transport(np.ones(7), np.ones(4), distances(left, right))
    assert np.array_equal(joint_flow(left, right), plan.flow)


def test_the_surplus_is_what_pyemd_charges() -> None:
    """Pyemd takes the largest distance for each unit of mass that the other side lacks."""
    pyemd = pytest.importorskip("pyemd", reason="pyemd is not installed")
    points, _ = clouds(2)
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    weights = np.array([0.5, 0.0, 2.0, 1.0, 0.0, 3.0, 0.25])
    heavy = np.where((weights > 0)[:, None], points, 0.0)
    corners = np.concatenate([heavy, np.zeros((2, 5))])
    cost = distances(corners, corners, squared=True)
    masses = np.concatenate([weights / (weights.sum() + 1e-5), np.zeros(2)])
    expected = pyemd.emd(masses, np.zeros(9), cost)
    assert surplus_cost(points, weights) == pytest.approx(expected, abs=1e-9)
