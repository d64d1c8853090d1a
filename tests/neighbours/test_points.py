"""Distinct rows and the proven bounds of float32 products."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from farthing.neighbours import points
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


def test_a_frame_is_the_mean_of_the_first_set_and_a_power_of_two() -> None:
    first, second = np.array([[0.0, 0.0], [2.0, 4.0]]), np.array([[1.0, -9.0]])
    frame = Frame.around(first, second)
    assert frame.origin.tolist() == [1.0, 2.0]
    assert frame.unit == 16.0  # eleven, rounded up
    assert Frame.around(first).unit == 2.0  # a power of two is not rounded
    assert Frame.around(np.zeros((3, 2))).unit == 1.0


def test_points_in_a_frame_by_hand() -> None:
    frame = Frame(np.array([1.0, 1.0]), 2.0)
    left, right = FramedPoints(np.array([[3.0, 1.0], [1.0, 5.0]]), frame), FramedPoints(np.array([[1.0, 3.0]]), frame)
    doubt = (2 * 2 + 16) * 2.0**-24
    assert (left.doubt, len(left), len(right)) == (doubt, 2, 1)
    assert left.norms.tolist() == [1.0, 4.0]  # (1, 0) and (0, 2)
    lower = left.lower(np.array([0, 1]), right, slice(0, 1))
    assert lower.dtype == np.float32
    # the true squares are 2 and 1; a bound lies below by the doubt of both norms, up to the rounding of float32
    assert lower[:, 0] == pytest.approx([2 - 2 * doubt, 1 - 5 * doubt], abs=5e-7)
    assert (lower[:, 0] < [2, 1]).all()
    spread = left.spread(np.array([0, 1]), right, np.array([0, 0]))
    assert spread == pytest.approx([2 * doubt * 2 + 4e-30, 2 * doubt * 5 + 4e-30], rel=1e-12)
    nothing = FramedPoints(np.ones((1, 2)), frame)
    assert nothing.spread(np.array([0]), nothing, np.array([0])).tolist() == [4e-30]
    assert nothing.lower(slice(0, 1), nothing, slice(0, 1))[0, 0] == pytest.approx(-2e-30, rel=1e-6)


def test_blocks_cover_all_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(points, "BLOCK", 4)
    assert points.blocks(9) == [slice(0, 4), slice(4, 8), slice(8, 9)]
    assert points.blocks(8) == [slice(0, 4), slice(4, 8)]
    assert points.blocks(0) == []
    rows = np.random.default_rng(0).normal(size=(9, 3))
    whole = FramedPoints(rows, Frame.around(rows))
    assert whole.norms == pytest.approx(np.square((rows - rows.mean(axis=0)) / Frame.around(rows).unit).sum(axis=1))
    assert len(Distinct.of(rows)) == 9


def test_weights_and_places_of_repeated_rows() -> None:
    vectors = np.array([[2.0], [1.0], [2.0], [2.0], [3.0]])
    found = Distinct.of(vectors)
    assert found.rows.tolist() == [[2.0], [1.0], [3.0]]
    assert (found.weights.tolist(), found.inverse.tolist()) == ([3, 1, 1], [0, 1, 0, 0, 2])
    alone = Distinct.of(vectors[1:3])
    assert alone.rows is not vectors
    assert (alone.weights.tolist(), alone.inverse.tolist()) == ([1, 1], [0, 1])


def test_pairs_beyond_one_step_are_computed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, mine, theirs = np.arange(12.0).reshape(6, 2), np.array([0, 1, 2, 3, 4]), np.array([5, 5, 5, 5, 5])
    expected = [float(np.square(rows[i] - rows[5]).sum()) for i in range(5)]
    for direct in (1, 4, 6, 100):
        monkeypatch.setattr(points, "_DIRECT", direct)
        assert pair_distances(rows, mine, rows, theirs).tolist() == expected
    integers = np.array([[2**40]]), np.array([[2**40 + 1]])
    assert squared_distances(*integers).tolist() == [1.0]
    assert squared_distances(np.float32([[1e-4]]), np.float32([[1.0]])).dtype == np.float64
