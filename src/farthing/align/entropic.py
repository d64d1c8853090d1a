"""Entropic transport (Sinkhorn) in the log domain: no under- or overflow, however small the regularisation."""

from __future__ import annotations

import numpy as np

from farthing.align.transport import TransportPlan, distances, shares
from farthing.core.arrays import Floats, Matrix, Vectors, Weights

ITERATIONS = 2_000
TOLERANCE = 1e-7
_BURST = 25  # iterations between two looks at the error
_TINY = 1e-200


def entropic(
    left: Weights,
    right: Weights,
    cost: Matrix,
    regularisation: float,
    *,
    iterations: int = ITERATIONS,
    tolerance: float = TOLERANCE,
) -> TransportPlan:
    """Find the plan of the regularised problem; its cost does not include the entropy itself.

    The cost is never below the exact one and approaches it as the regularisation goes to 0. The regularisation is
    lowered step by step, from the size of the costs to the given value, which saves most of the iterations. If the
    iterations run out, the plan is corrected so that its sums are right.

    :param regularisation: the weight of the entropy, in units of the cost
    :param tolerance: the greatest difference of the plan's row sums from the weights

    >>> plan = entropic(np.ones(2), np.ones(2), np.array([[0.0, 1.0], [1.0, 0.0]]), 0.01)
    >>> round(plan.cost, 6)
    0.0
    """
    left, right = shares(left), shares(right)
    rows, columns = left > 0, right > 0
    inner = np.asarray(cost, dtype=np.float64)[np.ix_(rows, columns)]
    part = _flow(np.log(left[rows]), np.log(right[columns]), inner, regularisation, iterations, tolerance)
    part = _corrected(part, left[rows], right[columns])
    flow = np.zeros(cost.shape)
    flow[np.ix_(rows, columns)] = part
    return TransportPlan(float((part * inner).sum()), flow)


def divergence(
    left: Weights, right: Weights, left_points: Vectors, right_points: Vectors, regularisation: float
) -> float:
    """Compute the debiased Sinkhorn divergence of two clouds with squared Euclidean costs: 0 for equal clouds.

    >>> cloud = np.array([[0.0], [1.0]])
    >>> divergence(np.ones(2), np.ones(2), cloud, cloud, 1.0)
    0.0
    """
    clouds = [(left, left_points), (right, right_points)]
    between, own, other = (
        entropic(a, b, distances(x, y, squared=True), regularisation).cost
        for (a, x), (b, y) in ((clouds[0], clouds[1]), (clouds[0], clouds[0]), (clouds[1], clouds[1]))
    )
    return between - (own + other) / 2


def _flow(
    log_left: Weights, log_right: Weights, cost: Matrix, target: float, iterations: int, tolerance: float
) -> Matrix:
    """Compute the plan from its two potentials, which are found in the log domain to avoid under- and overflow."""
    f: Floats = np.zeros(len(log_left))
    g: Floats = np.zeros(len(log_right))
    for step in _steps(float(cost.max(initial=0.0)), target):
        f = step * (log_left - _log_sum((g - cost) / step, axis=1))
        g = step * (log_right - _log_sum((f[:, None] - cost) / step, axis=0))
        last = step == target
        for _ in range(0, iterations if last else _BURST, _BURST):
            f, g, error = _burst(f, g, cost, step, np.exp(log_left), np.exp(log_right))
            if last and error < tolerance:
                break
    return np.asarray(np.exp((f[:, None] + g - cost) / target))


def _burst(
    f: Floats, g: Floats, cost: Matrix, step: float, left: Weights, right: Weights
) -> tuple[Floats, Floats, float]:
    """Do some iterations by products with the plan so far, then add their small corrections to the potentials.

    A plan whose sums are nearly right has no row or column of zeros, so the corrections stay small (Schmitzer 2019).
    """
    plan = np.exp((f[:, None] + g - cost) / step)
    rows, columns = np.ones(len(left)), np.ones(len(right))
    for _ in range(_BURST):
        rows = left / np.maximum(plan @ columns, _TINY)
        columns = right / np.maximum(rows @ plan, _TINY)
    error = float(np.abs(rows * (plan @ columns) - left).max())
    return f + step * np.log(np.maximum(rows, _TINY)), g + step * np.log(np.maximum(columns, _TINY)), error


def _corrected(plan: Matrix, left: Weights, right: Weights) -> Matrix:
    """Round a plan to one with the right sums (Altschuler et al. 2017): cut the excess, add what is missing."""
    plan = plan * np.minimum(1, left / np.maximum(plan.sum(axis=1), _TINY))[:, None]
    plan = plan * np.minimum(1, right / np.maximum(plan.sum(axis=0), _TINY))
    rows, columns = left - plan.sum(axis=1), right - plan.sum(axis=0)
    missing = rows.sum()
    return plan + np.outer(rows, columns) / missing if missing > 0 else plan


def _steps(largest: float, target: float) -> list[float]:
    """List regularisations from the size of the costs down to the target, each a third of the one before."""
    steps = [target]
    while steps[-1] * 3 < largest:
        steps.append(steps[-1] * 3)
    return steps[::-1]


def _log_sum(values: Floats, axis: int) -> Floats:
    """Compute log(sum(exp(values))) without overflow."""
    top = values.max(axis=axis, keepdims=True)
    return np.asarray(np.log(np.exp(values - top).sum(axis=axis)) + top.squeeze(axis))
