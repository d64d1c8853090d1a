"""Distinct rows and the proven bounds of float32 products."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from farthing.neighbours.points import Distinct, Frame, FramedPoints, pair_distances, squared_distances


def test_distinct_rows_come_back_through_the_inverse() -> None:
    vectors = np.random.default_rng(0).integers(0, 2, (50, 3)).astype(np.float32)
    vectors[0] = -0.0  # equal to 0.0, though other bytes
    distinct = Distinct.of(vectors)
    np.testing.assert_array_equal(distinct.rows[distinct.inverse], vectors)
    assert distinct.weights.sum() == 50
    assert len(distinct) == len(np.unique(vectors + 0, axis=0))


@given(st.integers(0, 10_000), st.sampled_from([1, 3, 64, 500]), st.sampled_from([1e-3, 1.0, 1e4]))
def test_bounds_hold(seed: int, dimensions: int, offset: float) -> None:
    random = np.random.default_rng(seed)
    first, second = random.standard_normal((2, 9, dimensions)) * random.exponential(3, (2, 9, 1)) + offset
    frame = Frame.around(first, second)
    left, right = FramedPoints(first, frame), FramedPoints(second, frame)
    lower = left.lower(slice(0, 9), right, slice(0, 9)).astype(np.float64)
    rows, columns = np.divmod(np.arange(81), 9)
    true = squared_distances(first[rows], second[columns]) / frame.unit**2
    assert (lower.ravel() <= true).all()
    assert (true <= lower.ravel() + left.spread(rows, right, columns)).all()


def test_a_pair_has_one_distance_wherever_it_stands() -> None:
    random = np.random.default_rng(1)
    rows = random.standard_normal((400, 769))
    mine, theirs = random.integers(0, 400, (2, 9000))
    many = pair_distances(rows, mine, rows, theirs)
    back = pair_distances(rows, theirs, rows, mine)
    alone = np.array(
        [squared_distances(rows[i : i + 1], rows[j : j + 1])[0] for i, j in zip(mine, theirs, strict=True)]
    )
    np.testing.assert_array_equal(many, back)
    np.testing.assert_array_equal(many, alone)
