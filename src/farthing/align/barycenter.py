"""Free-support Wasserstein barycentres: one cloud of points that stands for several."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from farthing.align.transport import distances, shares, transport
from farthing.core.arrays import Vectors, Weights

ITERATIONS = 100
TOLERANCE = 1e-7


def barycenter(
    clouds: Sequence[Vectors],
    weights: Weights,
    *,
    start: Vectors | None = None,
    iterations: int = ITERATIONS,
    tolerance: float = TOLERANCE,
) -> Vectors:
    """Find the points whose mean squared transport to the clouds is least, by fixed-point steps.

    All clouds have the same number of points with the same weights, such as the tokens of a text at several layers.
    In each step every point moves to the mean of the places it is carried to (Cuturi and Doucet 2014). The cost
    never grows, so the last points are the best ones that were seen.

    :param weights: of the points in each cloud and in the barycentre
    :param start: where the points start; the mean of the clouds if not given

    >>> barycenter([np.array([[0.0], [4.0]]), np.array([[2.0], [4.0]])], np.ones(2)).tolist()
    [[1.0], [4.0]]
    """
    layers = np.stack([np.asarray(cloud, dtype=np.float64) for cloud in clouds])
    share = shares(weights)
    points = layers.mean(axis=0) if start is None else np.array(start, dtype=np.float64)
    heavy = share > 0  # a point without weight is carried nowhere and stays where it starts
    for _ in range(iterations):
        moved = points.copy()
        carried = [_carried(points[heavy], layer[heavy], share[heavy]) for layer in layers]
        moved[heavy] = np.mean(carried, axis=0)
        shift = float(((moved - points) ** 2).sum())
        points = moved
        if shift < tolerance:
            break
    return points


def _carried(points: Vectors, cloud: Vectors, share: Weights) -> Vectors:
    """Return for every point the mean of the places that the cheapest plan carries it to."""
    cost = distances(points, cloud, squared=True)
    if (cost.argmin(axis=1) == np.arange(len(cost))).all():
        return cloud  # each point's nearest is its own: no plan is cheaper than carrying it there
    return np.asarray(transport(share, share, cost).flow @ cloud / share[:, None])
