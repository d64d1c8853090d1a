"""Cheap lower bounds of exact transport: each is at most the exact cost of the same problem (Kusner et al. 2015)."""

from __future__ import annotations

import numpy as np

from farthing.align.transport import shares
from farthing.core.arrays import Matrix, Vectors, Weights


def relaxed(left: Weights, right: Weights, cost: Matrix) -> float:
    """Compute the relaxed word mover's distance: each side goes to its nearest, and the more expensive side counts.

    >>> relaxed(np.ones(2), np.ones(1), np.array([[1.0], [3.0]]))
    2.0
    """
    left, right = shares(left), shares(right)
    there = cost.min(axis=1, where=right > 0, initial=np.inf)  # a column without weight cannot receive anything
    back = cost.min(axis=0, where=(left > 0)[:, None], initial=np.inf)
    return float(max(left @ there, right @ back))


def centroid(
    left: Weights, right: Weights, left_points: Vectors, right_points: Vectors, *, squared: bool = False
) -> float:
    """Compute the word centroid distance: how far apart the weighted means are.

    By Jensen's inequality it is a lower bound for Euclidean costs and, if squared, for squared ones.

    >>> centroid(np.ones(2), np.ones(1), np.array([[0.0], [2.0]]), np.array([[4.0]]))
    3.0
    """
    difference = shares(left) @ np.asarray(left_points, dtype=np.float64)
    difference = difference - shares(right) @ np.asarray(right_points, dtype=np.float64)
    square = float(difference @ difference)
    return square if squared else square**0.5
