"""Cheap lower bounds of exact transport: each is at most the exact cost of the same problem (Kusner et al. 2015)."""

from __future__ import annotations

import numpy as np

from farthing.align.transport import shares


def relaxed(left: np.ndarray, right: np.ndarray, cost: np.ndarray) -> float:
    """Relaxed word mover's distance: everything goes to its nearest, one way or the other, the dearer of the two.

    >>> relaxed(np.ones(2), np.ones(1), np.array([[1.0], [3.0]]))
    2.0
    """
    left, right = shares(left), shares(right)
    there = cost.min(axis=1, where=right > 0, initial=np.inf)  # what has no weight can take nothing in
    back = cost.min(axis=0, where=(left > 0)[:, None], initial=np.inf)
    return float(max(left @ there, right @ back))


def centroid(
    left: np.ndarray, right: np.ndarray, left_points: np.ndarray, right_points: np.ndarray, *, squared: bool = False
) -> float:
    """Word centroid distance: how far the weighted means are apart.

    By Jensen's inequality it is a lower bound for Euclidean costs and, squared, for squared ones.

    >>> centroid(np.ones(2), np.ones(1), np.array([[0.0], [2.0]]), np.array([[4.0]]))
    3.0
    """
    difference = shares(left) @ np.asarray(left_points, dtype=np.float64)
    difference = difference - shares(right) @ np.asarray(right_points, dtype=np.float64)
    square = float(difference @ difference)
    return square if squared else square**0.5
