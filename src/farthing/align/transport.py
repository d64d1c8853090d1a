"""Exact optimal transport: the least work that turns one weighted cloud of points into another.

The solver is the network simplex of POT, called without its wrapper, which costs as much as a small problem. POT is an
extra, since it takes 180 MB; without it our own simplex finds the same cost, about twenty times as slowly.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType
from typing import TypeAlias

import numpy as np

from farthing.core.arrays import Matrix, Vectors, Weights
from farthing.core.errors import MissingExtra, UsageError

_ITERATIONS = 1_000_000
_NO_SOLUTION = "the transport problem has no solution: its costs are not finite"
_NEAR = 1e-6  # squared distances below this come from too small a difference to be trusted
_BACKENDS = {"torch": "PYTORCH", "jax": "JAX", "cupy": "CUPY", "tensorflow": "TENSORFLOW"}


@dataclass(frozen=True, slots=True)
class TransportPlan:
    """A way to carry one set of weights to another.

    :param cost: what it costs in all
    :param flow: how much goes from each row to each column
    """

    cost: float
    flow: Matrix


Solver: TypeAlias = Callable[[Weights, Weights, Matrix], TransportPlan]


def distances(left: Vectors, right: Vectors, *, squared: bool = False) -> Matrix:
    """Compute the Euclidean distances between the rows of two matrices; exactly 0 between equal rows.

    >>> distances(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0], [0.0, 0.0]]))
    array([[5., 0.]])
    """
    left, right = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    squares = left @ (-2.0 * right.T)
    norms = [np.einsum("td,td->t", side, side) for side in (left, right)]
    squares += norms[0][:, None]
    squares += norms[1]
    scale = max(1.0, *(float(norm.max(initial=0.0)) for norm in norms))  # what rounding errors are proportional to
    rows, columns = np.nonzero(squares < _NEAR * scale)
    if len(rows):
        difference = left[rows] - right[columns]
        squares[rows, columns] = np.einsum("td,td->t", difference, difference)
    return squares if squared else np.sqrt(squares, out=squares)


def transport(left: Weights, right: Weights, cost: Matrix) -> TransportPlan:
    """Find the cheapest plan that carries one set of weights to another.

    :param left: weights of the rows, not negative, not all zero; scaled to sum to 1, as those of the columns are
    :param cost: what one unit costs from each row to each column

    >>> plan = transport(np.array([1.0, 1.0]), np.array([1.0]), np.array([[1.0], [3.0]]))
    >>> plan.cost, plan.flow.tolist()
    (2.0, [[0.5], [0.5]])
    """
    left, right = shares(left), shares(right)
    if len(left) == 1 or len(right) == 1:  # there is only one plan
        flow = np.outer(left, right)
        return TransportPlan(float((flow * cost).sum()), flow)
    rows, columns = left > 0, right > 0
    if rows.all() and columns.all():
        return _solver()(left, right, np.ascontiguousarray(cost, dtype=np.float64))
    inner = transport(left[rows], right[columns], cost[np.ix_(rows, columns)])
    whole = np.zeros(cost.shape)
    whole[np.ix_(rows, columns)] = inner.flow
    return TransportPlan(inner.cost, whole)


def shares(weights: Weights) -> Weights:
    """Scale weights to sum to 1.

    >>> shares(np.array([1, 3]))
    array([0.25, 0.75])
    """
    weights = np.asarray(weights, dtype=np.float64)
    total = weights.sum()
    if not (total > 0 and np.isfinite(total) and weights.min() >= 0):
        raise UsageError("weights of a transport must be finite, not negative, and not all zero")
    return np.asarray(weights / total)


@lru_cache(maxsize=1)
def _solver() -> Solver:
    """Return POT's compiled solver, its public function if another version has moved the former, or our own."""
    try:
        public = import_pot().emd
    except MissingExtra:
        return by_simplex

    def by_public(left: Weights, right: Weights, cost: Matrix) -> TransportPlan:
        flow, log = public(left, right, cost, numItermax=_ITERATIONS, log=True, check_marginals=False)
        return TransportPlan(_checked_cost(log["cost"], 1 if log["warning"] is None else 0), flow)

    try:
        from ot.lp.emd_wrap import emd_c
    except ImportError:
        return by_public

    def direct(left: Weights, right: Weights, cost: Matrix) -> TransportPlan:
        flow, value, _, _, state = emd_c(left, right, cost, _ITERATIONS, 1)
        return TransportPlan(_checked_cost(value, state), flow)

    probe = np.array([0.25, 0.75]), np.array([0.5, 0.5]), np.array([[0.0, 1.0], [1.0, 0.0]])
    try:
        return direct if direct(*probe).cost == 0.25 else by_public
    except (TypeError, ValueError):  # the compiled function's arguments have changed
        return by_public


def by_simplex(left: Weights, right: Weights, cost: Matrix) -> TransportPlan:
    """Solve a problem without POT."""
    from farthing.align.simplex import cheapest_flow

    if not np.isfinite(cost).all():
        raise UsageError(_NO_SOLUTION)
    flow = cheapest_flow(left, right, cost)
    return TransportPlan(float((flow * cost).sum()), flow)


def _checked_cost(value: float, state: int) -> float:
    if state != 1:
        raise UsageError(_NO_SOLUTION)
    return float(value)


def import_pot() -> ModuleType:
    """Import POT without the frameworks that it would otherwise load, each of which takes seconds.

    A framework that the program has loaded already stays in use, so that nobody else's POT changes.
    """
    unwanted = [f"POT_BACKEND_DISABLE_{key}" for name, key in _BACKENDS.items() if name not in sys.modules]
    added = [name for name in unwanted if name not in os.environ]
    os.environ.update(dict.fromkeys(added, "1"))
    try:
        import ot
    except ImportError as error:
        raise MissingExtra("POT", "ot") from error
    finally:
        for name in added:
            del os.environ[name]
    pot: ModuleType = ot
    return pot
