"""The cheap distances: bounds of exact transport, their formulas in plain loops, and their laws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farthing.align.relaxed import centroid, relaxed
from farthing.align.transport import distances, transport
from farthing.core.errors import UsageError

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


@settings(max_examples=60)
@given(problems(), st.booleans())
def test_bounds_are_bounds(problem: Problem, squared: bool) -> None:
    left, right, x, y = problem
    cost = distances(x, y, squared=squared)
    exact = transport(left, right, cost).cost
    assert relaxed(left, right, cost) <= exact + 1e-12
    assert centroid(left, right, x, y, squared=squared) <= exact + 1e-9


@settings(max_examples=40)
@given(problems())
def test_symmetric_and_zero_for_equal_clouds(problem: Problem) -> None:
    left, right, x, y = problem
    cost = distances(x, y)
    assert relaxed(left, right, cost) == relaxed(right, left, cost.T)
    assert relaxed(left, left, distances(x, x)) == 0
    assert centroid(left, left, x, x) == 0


@settings(max_examples=40)
@given(problems(most=5))
def test_formulas_in_plain_loops(problem: Problem) -> None:
    left, right, x, y = problem
    cost = distances(x, y)
    there = sum(a * min(c for c, b in zip(row, right, strict=True) if b) for a, row in zip(left, cost, strict=True))
    back = sum(b * min(c for c, a in zip(row, left, strict=True) if a) for b, row in zip(right, cost.T, strict=True))
    assert relaxed(left, right, cost) == pytest.approx(max(there / sum(left), back / sum(right)))
    means = [np.average(points, axis=0, weights=weights) for points, weights in ((x, left), (y, right))]
    assert centroid(left, right, x, y) == pytest.approx(np.linalg.norm(means[0] - means[1]))
    assert centroid(left, right, x, y, squared=True) == pytest.approx(((means[0] - means[1]) ** 2).sum())


def test_weights_that_are_all_zero_are_refused() -> None:
    with pytest.raises(UsageError, match="weights of a transport"):
        relaxed(np.zeros(2), np.ones(2), np.ones((2, 2)))
