"""Exact transport against scipy's linear programme and pyemd's numbers, and its laws."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

import farthing.align.transport as module
from farthing.align.transport import distances, import_pot, transport
from farthing.core.errors import MissingExtra, UsageError

Problem = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


@st.composite
def problems(draw: st.DrawFn, most: int = 12) -> Problem:
    """Weights and points of two clouds; some weights are zero, some points fall together."""
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    sizes = draw(st.integers(1, most)), draw(st.integers(1, most))
    dimension = draw(st.integers(1, 5))
    points = [generator.normal(size=(size, dimension)).round(draw(st.sampled_from([1, 9]))) for size in sizes]
    weights = [generator.random(size) * (generator.random(size) > 0.2) for size in sizes]
    weights = [weight if weight.sum() else weight + 1 for weight in weights]
    return weights[0], weights[1], points[0], points[1]


def by_linear_programme(left: np.ndarray, right: np.ndarray, cost: np.ndarray) -> float:
    rows, columns = cost.shape
    sums = np.zeros((rows + columns, rows * columns))
    for row in range(rows):
        sums[row, row * columns : (row + 1) * columns] = 1
    for column in range(columns):
        sums[rows + column, column::columns] = 1
    margins = np.concatenate([left / left.sum(), right / right.sum()])
    return float(linprog(cost.ravel(), A_eq=sums, b_eq=margins, method="highs").fun)


@settings(max_examples=60)
@given(problems(), st.booleans())
def test_equal_to_the_linear_programme(problem: Problem, squared: bool) -> None:
    left, right, x, y = problem
    cost = distances(x, y, squared=squared)
    plan = transport(left, right, cost)
    assert plan.cost == pytest.approx(by_linear_programme(left, right, cost), abs=1e-9)
    assert np.allclose(plan.flow.sum(axis=1), left / left.sum(), atol=1e-12)
    assert np.allclose(plan.flow.sum(axis=0), right / right.sum(), atol=1e-12)
    assert (plan.flow >= 0).all()
    assert (plan.flow * cost).sum() == pytest.approx(plan.cost, abs=1e-12)


@settings(max_examples=40)
@given(problems())
def test_symmetric_and_zero_for_equal_clouds(problem: Problem) -> None:
    left, right, x, y = problem
    cost = distances(x, y)
    assert transport(left, right, cost).cost == pytest.approx(transport(right, left, cost.T).cost, abs=1e-12)
    assert transport(left, left, distances(x, x)).cost == 0


def test_equal_to_pyemd_up_to_120_by_120() -> None:
    """The numbers were made by pyemd 1.1.0, in an environment of its own, by tests/align/make_pyemd.py."""
    for case in json.loads((Path(__file__).parent / "pyemd.json").read_text()):
        left, right, x, y = pyemd_problem(case["rows"], case["columns"], case["seed"])
        assert transport(left, right, distances(x, y)).cost == pytest.approx(case["emd"], abs=1e-9)


def pyemd_problem(rows: int, columns: int, seed: int) -> Problem:
    generator = np.random.default_rng(seed)
    x, y = generator.normal(size=(rows, 16)), generator.normal(size=(columns, 16))
    left, right = generator.random(rows), generator.random(columns)
    return left / left.sum(), right / right.sum(), x, y


def test_distances_against_the_plain_formula() -> None:
    generator = np.random.default_rng(0)
    x, y = generator.normal(size=(7, 5)), generator.normal(size=(9, 5))
    plain = np.sqrt(((x[:, None] - y) ** 2).sum(axis=-1))
    assert np.allclose(distances(x, y), plain, atol=1e-12)
    assert np.allclose(distances(x, y, squared=True), plain**2, atol=1e-12)
    near = x + 1e-9 * generator.normal(size=x.shape)
    assert np.allclose(np.diag(distances(x, near)), np.linalg.norm(x - near, axis=1), rtol=1e-6)


@pytest.mark.parametrize("weights", [[0.0, 0.0], [-1.0, 2.0], [np.nan, 1.0], [np.inf, 1.0]])
def test_wrong_weights_are_refused(weights: list[float]) -> None:
    with pytest.raises(UsageError, match="weights of a transport"):
        transport(np.array(weights), np.ones(2), np.ones((2, 2)))


def test_pot_brings_no_framework_along() -> None:
    code = (
        "import numpy as np, sys, os; from farthing.align.transport import transport;"
        "transport(np.ones(2), np.ones(2), np.eye(2));"
        "assert 'torch' not in sys.modules; assert not [k for k in os.environ if k.startswith('POT_')]"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_pot_the_same_costs_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(0)
    problems = [(random.random(m), random.random(n), random.random((m, n))) for m, n in ((1, 3), (4, 4), (9, 5))]
    problems.append((np.array([1.0, 0.0, 1.0]), np.array([2.0, 1.0]), random.random((3, 2))))  # a row without weight
    expected = [transport(*problem) for problem in problems]
    monkeypatch.setitem(sys.modules, "ot", None)
    module._solver.cache_clear()
    try:
        for problem, one in zip(problems, expected, strict=True):
            found = transport(*problem)
            assert found.cost == pytest.approx(one.cost, abs=1e-9)
            assert found.flow == pytest.approx(one.flow, abs=1e-9)
        with pytest.raises(UsageError, match="no solution"):
            transport(np.ones(2), np.ones(2), np.array([[np.nan, 1.0], [1.0, 1.0]]))
        with pytest.raises(MissingExtra, match=r"^POT needs .* pip install 'farthing\[ot\]'"):
            import_pot()
    finally:
        module._solver.cache_clear()


@pytest.fixture
def fresh_solver() -> Iterator[None]:
    """Choose the solver anew, and forget the choice afterwards."""
    module._solver.cache_clear()
    yield
    module._solver.cache_clear()


def wrong_arguments(*given: object) -> None:
    raise TypeError


@pytest.mark.parametrize("emd", [None, wrong_arguments, lambda *given: (np.eye(2) / 2, 0.75, None, None, 1)])
def test_the_public_function_of_another_version_of_pot(
    emd: object, monkeypatch: pytest.MonkeyPatch, fresh_solver: None
) -> None:
    """The compiled function is missing, takes other arguments, or returns something else."""
    random = np.random.default_rng(1)
    left, right, cost = random.random(5), random.random(4), random.random((5, 4))
    expected = by_linear_programme(left, right, cost)
    pot = import_pot()
    if emd is None:
        monkeypatch.setitem(sys.modules, "ot.lp.emd_wrap", None)
    else:
        monkeypatch.setattr(sys.modules["ot.lp.emd_wrap"], "emd_c", emd)
        monkeypatch.setattr(pot, "emd", by_programme)  # which would use the compiled one
    found = transport(left, right, cost)
    assert found.cost == pytest.approx(expected, abs=1e-9)
    assert found.flow.sum(axis=1) == pytest.approx(left / left.sum())
    no_solution = r"^the transport problem has no solution: its costs are not finite$"
    with warnings.catch_warnings(), pytest.raises(UsageError, match=no_solution):
        warnings.simplefilter("ignore")  # POT's own
        transport(np.ones(2), np.ones(2), np.array([[np.nan, 1.0], [1.0, 1.0]]))


def by_programme(left: np.ndarray, right: np.ndarray, cost: np.ndarray, **options: object) -> object:
    """What POT's public function returns, by our own simplex."""
    assert options == {"numItermax": 1_000_000, "log": True, "check_marginals": False}
    if not np.isfinite(cost).all():
        return cost, {"cost": np.nan, "warning": "not finite"}
    plan = module.by_simplex(left, right, cost)
    return plan.flow, {"cost": plan.cost, "warning": None}


def test_one_row_or_column_leaves_one_plan() -> None:
    row = transport(np.array([3.0]), np.array([1.0, 3.0]), np.array([[2.0, 4.0]]))
    assert (row.cost, row.flow.tolist()) == (3.5, [[0.25, 0.75]])
    column = transport(np.array([1.0, 3.0]), np.array([3.0]), np.array([[2.0], [4.0]]))
    assert (column.cost, column.flow.tolist()) == (3.5, [[0.25], [0.75]])
    lonely = transport(np.array([0.0, 1.0]), np.array([1.0, 0.0, 1.0]), np.array([[9.0, 9, 9], [1.0, 9, 3]]))
    whole = transport(np.array([1.0, 3.0]), np.array([3.0, 1.0]), np.array([[0, 1], [1, 0]]))
    assert (whole.cost, whole.flow.tolist()) == (0.5, [[0.25, 0], [0.5, 0.25]])
    assert (lonely.cost, lonely.flow.tolist()) == (2.0, [[0, 0, 0], [0.5, 0, 0.5]])


def test_distances_of_large_near_and_no_points() -> None:
    large = np.array([[1e6, 0.0], [1e6 + 1e-3, 0.0]])
    assert distances(large, large)[0, 1] == pytest.approx(1e-3, rel=1e-6)  # lost in the squares, which are 1e12
    small = np.array([[1e-5, 0.0], [0.0, 0.0]])
    assert distances(small, small).tolist() == [[0.0, 1e-5], [1e-5, 0.0]]
    assert distances(small.astype(np.float32), small).dtype == np.float64
    tiny = np.array([[100, 100]], dtype=np.int8)  # whose squares do not fit into its own type
    assert (
        distances(np.zeros((1, 2)), tiny)[0, 0]
        == distances(tiny, np.zeros((1, 2)))[0, 0]
        == pytest.approx(2**0.5 * 100)
    )
    assert distances(np.zeros((0, 2)), small).shape == (0, 2)
    assert module.shares(np.array([1, 1], dtype=np.int8)).tolist() == [0.5, 0.5]


def test_pot_is_told_which_frameworks_to_leave_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only those that are not in use, only for the import, and never what the user has said."""
    seen: dict[str, str] = {}

    class Finder:
        def find_spec(self, name: str, path: object = None, target: object = None) -> None:
            if name == "ot":
                seen.update({key: value for key, value in os.environ.items() if key.startswith("POT_")})
                raise ImportError(name)

    monkeypatch.delitem(sys.modules, "ot", raising=False)
    monkeypatch.setitem(sys.modules, "torch", module)
    for name in ("jax", "cupy", "tensorflow"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setenv("POT_BACKEND_DISABLE_CUPY", "yes")
    monkeypatch.setattr(sys, "meta_path", [Finder(), *sys.meta_path])
    with pytest.raises(MissingExtra):
        import_pot()
    assert seen == {
        "POT_BACKEND_DISABLE_JAX": "1",
        "POT_BACKEND_DISABLE_CUPY": "yes",
        "POT_BACKEND_DISABLE_TENSORFLOW": "1",
    }
    assert [key for key in os.environ if key.startswith("POT_")] == ["POT_BACKEND_DISABLE_CUPY"]
