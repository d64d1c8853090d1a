"""Radii against a brute force in float64: duplicates, ties, many blocks, hard frames."""

from __future__ import annotations

import numpy as np
import pytest

from farthing.neighbours import points, search
from farthing.neighbours.points import Distinct
from farthing.neighbours.search import search_pairs, squared_radii


def brute(vectors: np.ndarray, ks: list[int]) -> np.ndarray:
    wide = vectors.astype(np.float64)
    squared = np.array([np.square(wide - row).sum(axis=1) for row in wide])
    np.fill_diagonal(squared, -1)  # a sample comes first among its own neighbours
    return np.sort(squared, axis=1)[:, ks]


def radii(vectors: np.ndarray, ks: list[int], threads: int = 1) -> np.ndarray:
    distinct = Distinct.of(vectors)
    return squared_radii(distinct, ks, threads=threads)[distinct.inverse]


@pytest.fixture(params=[7, 2048])
def block(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Small blocks bring many of them, and small last ones, into a small test."""
    monkeypatch.setattr(points, "BLOCK", request.param)
    return int(request.param)


@pytest.mark.parametrize("kind", ["normal", "lattice", "copies", "line"])
@pytest.mark.parametrize("threads", [1, 3])
def test_equals_brute_force(kind: str, threads: int, block: int) -> None:
    random = np.random.default_rng(3)
    for size in (2, 5, 29, 60):
        vectors = {
            "normal": random.standard_normal((size, 11)).astype(np.float32),
            "lattice": random.integers(0, 3, (size, 4)).astype(np.float32),
            "copies": random.standard_normal((3, 5))[random.integers(0, 3, size)],
            "line": np.arange(size, dtype=np.float64)[:, None],
        }[kind]
        ks = list(range(1, size))
        np.testing.assert_array_equal(radii(vectors, ks, threads), brute(vectors, ks))


def test_far_from_the_origin_and_of_any_scale(block: int) -> None:
    random = np.random.default_rng(5)
    near = random.standard_normal((50, 8))
    for vectors in (near + 1e8, near * 1e60, near * 1e-60, np.vstack([near, near[:1] * 1e9])):
        np.testing.assert_array_equal(radii(vectors, [1, 4]), brute(vectors, [1, 4]))


def test_nearly_equal_vectors_are_told_apart(block: int) -> None:
    random = np.random.default_rng(6)
    vectors = (1000 + np.float32(1e-3) * random.standard_normal((64, 16))).astype(np.float32)
    np.testing.assert_array_equal(radii(vectors, [1, 2, 9]), brute(vectors, [1, 2, 9]))


def test_ties_beyond_what_is_kept_are_looked_at_again() -> None:
    vectors = np.eye(300, dtype=np.float32)  # every distance is the same
    np.testing.assert_array_equal(radii(vectors, [1, 40]), np.full((300, 2), 2.0))


def test_progress_counts_every_pair_once(block: int) -> None:
    done: list[int] = []
    vectors = np.random.default_rng(0).standard_normal((40, 3))
    squared_radii(Distinct.of(vectors), [1], threads=1, progress=done.append)
    assert sum(done) == search_pairs(40)


def test_one_point_and_its_copies_have_no_radius() -> None:
    alone = Distinct.of(np.zeros((4, 2)))
    assert squared_radii(alone, [1, 3]).tolist() == [[0.0, 0.0]]


def started(vectors: np.ndarray, most: int) -> search._Search:
    ready = points.FramedPoints(vectors, points.Frame.around(vectors))
    return search._Search(Distinct.of(vectors), ready, most)


def test_what_is_kept_and_what_is_dropped() -> None:
    """Eight more neighbours than needed, as far as there are so many; no bound below the limit was dropped."""
    vectors = np.arange(30.0)[:, None]
    found = started(vectors, 3)
    assert (found.most, found.keep) == (3, 11)
    found.run(1, lambda done: None)
    assert sorted(found.index[0].tolist()) == list(range(1, 12))
    assert found.limit[0] == pytest.approx(found.lower[0].max())
    assert np.isfinite(found.lower).all()
    few, many = started(vectors[:6], 3), started(vectors[:4], 9)
    assert (few.most, few.keep, many.most, many.keep) == (3, 5, 3, 3)


def test_copies_count_as_neighbours() -> None:
    vectors = np.array([[0.0], [0.0], [0.0], [2.0], [2.0], [7.0]])
    expected = brute(vectors, [1, 2, 3, 4, 5])
    assert radii(vectors, [1, 2, 3, 4, 5]).tolist() == expected.tolist()
    assert expected[0].tolist() == [0, 0, 4, 4, 49]


def test_rows_that_rounding_leaves_open_are_searched_again(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without spare neighbours, and a few rows at a time."""
    monkeypatch.setattr(search, "SPARE", 0)
    monkeypatch.setattr(search, "_SECOND", 3)
    again: list[int] = []
    look = search._Search._look_again
    monkeypatch.setattr(
        search._Search, "_look_again", lambda self, mine, reach: (again.append(len(mine)), look(self, mine, reach))[1]
    )
    vectors = (1000 + np.float32(1e-3) * np.random.default_rng(6).standard_normal((40, 16))).astype(np.float32)
    np.testing.assert_array_equal(radii(vectors, [1, 2, 9]), brute(vectors, [1, 2, 9]))
    assert again
    assert max(again) <= 3


def test_search_pairs() -> None:
    assert [search_pairs(count) for count in (0, 1, 2, 5)] == [0, 1, 3, 15]
