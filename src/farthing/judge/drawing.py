"""Draw the rows that a judge sees, each with a known probability, so that what was not seen can be inferred."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from farthing.core.arrays import Floats, Indices

Policy: TypeAlias = Literal["worst", "uncertain", "random"]
FLOOR = 0.01  # every row is judged with at least this probability, if the budget allows
_GRADE = 1.1  # the best row keeps a tenth of the weight of the worst
_POWER = 0.5


def graded_weights(scores: Floats) -> Floats:
    """Return larger weights for rows with lower scores, whose verdicts vary most.

    >>> graded_weights(np.array([3.0, 1.0, 2.0])).round(2).tolist()
    [0.66, 1.05, 0.88]
    """
    ranks = np.argsort(np.argsort(scores, kind="stable"), kind="stable")
    return np.asarray((_GRADE - ranks / max(1, len(scores))) ** _POWER)


def drawing_probabilities(weights: Floats, count: int, floor: float = FLOOR) -> Floats:
    """Return probabilities that follow the weights and add up to `count`; none is above 1 or below the floor.

    >>> drawing_probabilities(np.array([1.0, 1.0, 8.0]), 2).tolist()
    [0.5, 0.5, 1.0]
    """
    size = len(weights)
    if count >= size:
        return np.ones(size)
    low = min(floor, count / size)
    chances = np.full(size, low)
    spare, free = count - low * size, np.ones(size, dtype=bool)
    while spare > 1e-12 and free.any():
        added = np.where(free, weights * spare / weights[free].sum(), 0.0)
        chances = chances + added
        spare = float(np.maximum(chances - 1, 0).sum())
        free &= chances < 1
        chances = np.minimum(chances, 1.0)
    return chances


def drawn_rows(probabilities: Floats, order: Floats, random: np.random.Generator) -> Indices:
    """Draw rows with these probabilities, at equal steps along an order, so that all kinds of rows are among them.

    The number of rows is the sum of the probabilities, rounded up or down.
    """
    places = np.argsort(order, kind="stable")
    steps = np.cumsum(probabilities[places])
    total = float(steps[-1]) if len(steps) else 0.0
    points = np.arange(random.random(), total - 1e-9, 1.0)
    return np.sort(places[np.minimum(np.searchsorted(steps, points, side="right"), len(places) - 1)])
