"""Transport as published programs solve it: both clouds in one problem, by the solver of pyemd if it is installed.

Where several plans cost the same, the solver decides which one is found; a program that looks at the plan itself, and
not only at its cost, is reproduced with its own solver only.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, Protocol, TypeAlias

import numpy as np

from farthing.align.transport import distances, transport
from farthing.core.arrays import Floats, Matrix, Vectors, Weights

_ADDED = 1e-9  # the programs add this to the mass of every point, so that none is zero
_SAFE = 1e-5  # MoverScore v1 adds this to every sum that it divides by
PlanSolver: TypeAlias = Literal["pyemd", "exact"]


class FlowFunction(Protocol):
    """Pyemd's function: the cost and the flows from every point to every point."""

    def __call__(self, left: Floats, right: Floats, cost: Matrix, /) -> tuple[float, list[list[float]]]: ...


@lru_cache(maxsize=1)
def pyemd_flow() -> FlowFunction | None:
    """Return pyemd's function, None if pyemd is not installed."""
    try:
        from pyemd import emd_with_flow
    except ImportError:
        return None
    solve: FlowFunction = emd_with_flow
    return solve


def plan_solver() -> PlanSolver:
    """Name the solver that :func:`joint_flow` uses."""
    return "pyemd" if pyemd_flow() else "exact"


def joint_flow(left: Vectors, right: Vectors) -> Matrix:
    """Return the flows between two clouds of points of equal weight, as XMoverScore's program finds them.

    >>> joint_flow(np.eye(2), np.eye(2)).round(6).tolist()
    [[0.5, 0.0], [0.0, 0.5]]
    """
    solve = pyemd_flow()
    rows, columns = len(left), len(right)
    if solve is None:
        return transport(np.ones(rows), np.ones(columns), distances(left, right)).flow
    points = np.concatenate([left, right])
    masses = [np.repeat([1 / rows, 0.0], [rows, columns]), np.repeat([0.0, 1 / columns], [rows, columns])]
    _, flow = solve(masses[0] + _ADDED, masses[1] + _ADDED, distances(points, points))
    return np.array(flow)[:rows, rows:]


def surplus_cost(points: Vectors, weights: Weights) -> float:
    """Compute what MoverScore v1 charges if the other side has no weight: all mass, at the largest of all distances.

    Points without weight are zero vectors in that program, and so are all points of the other side.

    >>> round(surplus_cost(np.eye(2), np.ones(2)), 4)
    2.0
    """
    heavy = np.where((weights > 0)[:, None], points, 0.0)
    corners = np.concatenate([heavy, np.zeros((1, points.shape[1]))])
    total = float(weights.sum())
    return float(distances(corners, corners, squared=True).max()) * total / (total + _SAFE)
