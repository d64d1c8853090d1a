"""The simplex against POT, scipy's linear programs and its assignments."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment, linprog

from farthing.align.simplex import cheapest_flow
from farthing.align.transport import by_simplex, distances, shares


def program_cost(left: np.ndarray, right: np.ndarray, cost: np.ndarray) -> float:
    """The least cost as scipy's HiGHS finds it."""
    rows, columns = cost.shape
    sums = [np.kron(np.eye(rows), np.ones(columns)), np.kron(np.ones(rows), np.eye(columns))]
    tight = {"dual_feasibility_tolerance": 1e-10, "primal_feasibility_tolerance": 1e-10}
    found = linprog(cost.ravel(), A_eq=np.vstack(sums), b_eq=np.concatenate([left, right]), options=tight)
    return float(found.fun)


def check(left: np.ndarray, right: np.ndarray, cost: np.ndarray, expected: float) -> None:
    flow = cheapest_flow(left, right, cost)
    assert flow.min() >= 0
    assert flow.sum(axis=1) == pytest.approx(left, abs=1e-12)
    assert flow.sum(axis=0) == pytest.approx(right, abs=1e-12)
    assert float((flow * cost).sum()) == pytest.approx(expected, abs=1e-9)


@given(
    st.lists(st.integers(1, 3), min_size=2, max_size=8), st.lists(st.integers(1, 3), min_size=2, max_size=8), st.data()
)
def test_equals_a_linear_program_however_many_ties_there_are(
    left: list[int], right: list[int], data: st.DataObject
) -> None:
    cells = st.lists(st.integers(0, 4), min_size=len(left) * len(right), max_size=len(left) * len(right))
    cost = np.array(data.draw(cells), dtype=float).reshape(len(left), len(right))
    first, second = shares(np.array(left)), shares(np.array(right))
    check(first, second, cost, program_cost(first, second, cost))


@pytest.mark.parametrize("size", [2, 7, 40, 120])
def test_equal_weights_are_an_assignment(size: int) -> None:
    cost = np.random.default_rng(size).random((size, size))
    rows, columns = linear_sum_assignment(cost)
    weights = np.full(size, 1 / size)
    check(weights, weights, cost, float(cost[rows, columns].mean()))


@pytest.mark.parametrize(("rows", "columns"), [(2, 3), (25, 30), (60, 11), (90, 80)])
def test_the_same_plan_as_pot(rows: int, columns: int) -> None:
    """Random costs have one cheapest plan."""
    ot = pytest.importorskip("ot", reason="POT is not installed")
    random = np.random.default_rng(rows)
    cost = distances(random.normal(size=(rows, 16)), random.normal(size=(columns, 16)))
    left, right = shares(random.random(rows) + 0.01), shares(random.random(columns) + 0.01)
    expected = ot.emd(left, right, cost)
    assert cheapest_flow(left, right, cost) == pytest.approx(expected, abs=1e-9)
    assert by_simplex(left, right, cost).cost == pytest.approx(float((expected * cost).sum()), abs=1e-9)


def test_weights_of_very_different_sizes() -> None:
    random = np.random.default_rng(0)
    left, right = shares(10.0 ** random.integers(-8, 1, 12)), shares(10.0 ** random.integers(-8, 1, 9))
    cost = random.random((12, 9))
    check(left, right, cost, program_cost(left, right, cost))
