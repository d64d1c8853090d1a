"""Radii against a brute force in float64: duplicates, ties, many blocks, hard frames."""

from __future__ import annotations

import numpy as np
import pytest

from farthing.neighbours import points
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
