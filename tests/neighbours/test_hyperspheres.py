"""Counts across two sets against a brute force, whatever the blocks and the threads."""

from __future__ import annotations

import numpy as np
import pytest

from farthing.neighbours import points
from farthing.neighbours.hyperspheres import Spheres, cross, crossing_pairs


def squared(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return np.array([np.square(row - second.astype(np.float64)).sum(axis=1) for row in first.astype(np.float64)])


def check(first: np.ndarray, second: np.ndarray, ks: list[int], threads: int = 1) -> None:
    sides = cross(Spheres.of(first, ks, threads=threads), Spheres.of(second, ks, threads=threads), threads=threads)
    across = squared(first, second)
    radii = [np.sort(squared(each, each), axis=1)[:, ks] for each in (first, second)]
    for column in range(len(ks)):
        mine, theirs = across <= radii[0][:, column, None], across <= radii[1][:, column]
        np.testing.assert_array_equal(sides[0].reached[:, column], mine.sum(axis=1))
        np.testing.assert_array_equal(sides[1].covered[:, column], mine.any(axis=0))
        np.testing.assert_array_equal(sides[1].reached[:, column], theirs.sum(axis=0))
        np.testing.assert_array_equal(sides[0].covered[:, column], theirs.any(axis=1))


@pytest.mark.parametrize("block", [5, 2048])
@pytest.mark.parametrize("kind", ["normal", "lattice", "copies", "same"])
def test_equals_brute_force(kind: str, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(points, "BLOCK", block)
    random = np.random.default_rng(2)
    for n, m in ((2, 2), (9, 30), (33, 12)):
        first = random.standard_normal((n, 6)).astype(np.float32)
        second = {
            "normal": random.standard_normal((m, 6)).astype(np.float32) * 1.1,
            "lattice": random.integers(0, 3, (m, 6)).astype(np.float32),
            "copies": first[random.integers(0, n, m)],
            "same": first,
        }[kind]
        first = random.integers(0, 3, (n, 6)).astype(np.float32) if kind == "lattice" else first
        check(first, second, list(range(1, min(len(first), len(second)))), threads=1 if block == 5 else 2)


def test_a_set_inside_all_spheres_of_a_wide_one() -> None:
    angles = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    check(np.column_stack([np.cos(angles), np.sin(angles)]), np.random.default_rng(0).normal(0, 1e-4, (40, 2)), [20])


def test_very_different_scales() -> None:
    random = np.random.default_rng(4)
    small, large = random.standard_normal((2, 30, 4))
    check(small * 1e-20, large * 1e20, [1, 3])
    outlier = np.full((1, 4), 1e30)  # beside which all the others are lost in float32
    check(np.vstack([small * 1e-15, outlier]), np.vstack([large * 1e-15, outlier]), [1, 3])


def test_progress_adds_up() -> None:
    done: list[int] = []
    first, second = np.random.default_rng(0).standard_normal((2, 20, 3))
    sets = [Spheres.of(each, [1], progress=done.append) for each in (first, second)]
    cross(*sets, progress=done.append)
    assert sum(done) == crossing_pairs(20, 20)


def test_how_many_pairs_are_compared() -> None:
    assert crossing_pairs(3, 5) == 6 + 15 + 15
    assert crossing_pairs(3, 5, with_corpus=False) == 6 + 15


def test_progress_of_many_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(points, "BLOCK", 4)
    done: list[int] = []
    first, second = np.random.default_rng(0).standard_normal((2, 10, 3))
    cross(Spheres.of(first, [1]), Spheres.of(second[:9], [1]), threads=1, progress=done.append)
    assert (sum(done), max(done), min(done)) == (90, 16, 2)


def test_the_border_belongs_to_the_sphere() -> None:
    """Points on a line: a sphere of radius 1 around 0 holds 1 to the last bit, and nothing beyond."""
    left = Spheres.of(np.array([[0.0], [1.0], [5.0]]), [1, 2])
    right = Spheres.of(np.array([[-1.0], [np.nextafter(-1.0, -2.0)], [10.0]]), [1, 2])
    mine, theirs = cross(left, right)
    # radii of the left: 1 1 4 (k=1), 5 4 5 (k=2); of the right: almost 0, almost 0, 11 (k=1), 11 11 11 and more (k=2)
    assert mine.reached.tolist() == [[1, 2], [0, 2], [0, 1]]
    assert theirs.covered.tolist() == [[True, True], [False, True], [False, True]]
    assert mine.covered.tolist() == [[True, True], [True, True], [True, True]]
    assert theirs.reached.tolist() == [[0, 3], [0, 3], [3, 3]]
    assert (mine.reached.dtype, mine.covered.dtype) == (np.int64, bool)
