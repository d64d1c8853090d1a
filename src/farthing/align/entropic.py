"""Entropic transport (Sinkhorn) in the log domain: no under- or overflow, however small the regularisation."""

from __future__ import annotations

import numpy as np

from farthing.align.transport import distances, shares

ITERATIONS = 2_000
TOLERANCE = 1e-9
_CHECK = 10  # iterations between two looks at the error, which costs as much as half of one


def entropic(
    left: np.ndarray,
    right: np.ndarray,
    cost: np.ndarray,
    regularisation: float,
    *,
    iterations: int = ITERATIONS,
    tolerance: float = TOLERANCE,
) -> tuple[float, np.ndarray]:
    """The transport cost of the regularised plan (without the entropy itself), and the plan.

    It is never below the exact cost, and comes to it as the regularisation goes to 0. The regularisation is
    lowered step by step, from the size of the costs to what is asked for, which saves most of the iterations;
    should they run out, the plan is mended so that its sums are right.

    :param regularisation: the weight of the entropy, in units of the cost
    :param tolerance: the greatest difference of the plan's row sums from the weights

    >>> cost, plan = entropic(np.ones(2), np.ones(2), np.array([[0.0, 1.0], [1.0, 0.0]]), 0.01)
    >>> round(cost, 6)
    0.0
    """
    left, right = shares(left), shares(right)
    rows, columns = left > 0, right > 0
    inner = np.asarray(cost, dtype=np.float64)[np.ix_(rows, columns)]
    part = _plan(np.log(left[rows]), np.log(right[columns]), inner, regularisation, iterations, tolerance)
    part = _mended(part, left[rows], right[columns])
    plan = np.zeros(cost.shape)
    plan[np.ix_(rows, columns)] = part
    return float((part * inner).sum()), plan


def divergence(
    left: np.ndarray, right: np.ndarray, left_points: np.ndarray, right_points: np.ndarray, regularisation: float
) -> float:
    """The debiased Sinkhorn divergence of two clouds with squared Euclidean costs: 0 for equal ones.

    >>> cloud = np.array([[0.0], [1.0]])
    >>> divergence(np.ones(2), np.ones(2), cloud, cloud, 1.0)
    0.0
    """
    clouds = [(left, left_points), (right, right_points)]
    between, own, other = (
        entropic(a, b, distances(x, y, squared=True), regularisation)[0]
        for (a, x), (b, y) in ((clouds[0], clouds[1]), (clouds[0], clouds[0]), (clouds[1], clouds[1]))
    )
    return between - (own + other) / 2


def _plan(
    log_left: np.ndarray, log_right: np.ndarray, cost: np.ndarray, target: float, iterations: int, tolerance: float
) -> np.ndarray:
    f, g = np.zeros(len(log_left)), np.zeros(len(log_right))
    for step in _steps(float(cost.max(initial=0.0)), target):
        last = step == target
        for count in range(iterations if last else _CHECK):
            f = step * (log_left - _log_sum((g - cost) / step, axis=1))
            g = step * (log_right - _log_sum((f[:, None] - cost) / step, axis=0))
            if last and count % _CHECK == 0 and _row_error(f, g, cost, step, log_left) < tolerance:
                break
    return np.asarray(np.exp((f[:, None] + g - cost) / target))


def _mended(plan: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The nearest plan with the right sums (Altschuler et al. 2017): cut what is too much, add what is missing."""
    plan = plan * np.minimum(1, left / np.maximum(plan.sum(axis=1), 1e-300))[:, None]
    plan = plan * np.minimum(1, right / np.maximum(plan.sum(axis=0), 1e-300))
    rows, columns = left - plan.sum(axis=1), right - plan.sum(axis=0)
    missing = rows.sum()
    return plan + np.outer(rows, columns) / missing if missing > 0 else plan


def _steps(largest: float, target: float) -> list[float]:
    """From the size of the costs down to the asked regularisation, a third at a time."""
    steps = [target]
    while steps[-1] * 3 < largest:
        steps.append(steps[-1] * 3)
    return steps[::-1]


def _row_error(f: np.ndarray, g: np.ndarray, cost: np.ndarray, step: float, log_left: np.ndarray) -> float:
    rows = np.exp((f[:, None] + g - cost) / step).sum(axis=1)
    return float(np.abs(rows - np.exp(log_left)).max())


def _log_sum(values: np.ndarray, axis: int) -> np.ndarray:
    """log(sum(exp(values))) without overflow."""
    top = values.max(axis=axis, keepdims=True)
    return np.asarray(np.log(np.exp(values - top).sum(axis=axis)) + top.squeeze(axis))
