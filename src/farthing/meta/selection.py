"""Model selection: how often does a metric pick the system that people would have picked?

Some of the systems (or hybrids) are drawn many times. Each time the metric picks its best, and the human scores say how
good that choice was: whether it is people's best (Hits@1), which rank they give it (mean reciprocal rank), and how much
worse than their best it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from farthing.core.errors import UsageError

DRAWS = 100_000
DRAWN = 100
_NORMAL = 1.959963984540054  # 97.5 % of a normal distribution lies below


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over draws and half the width of its 95 % interval."""

    value: float
    margin: float

    @classmethod
    def of(cls, total: float, squares: float, count: int) -> Mean:
        """Compute it from the sum and the sum of squares."""
        mean = total / count
        variance = max(0.0, squares / count - mean**2)
        return cls(mean, _NORMAL * float(np.sqrt(variance / count)))


@dataclass(frozen=True, slots=True)
class Selection:
    """How well one metric selects.

    :param hits: share of draws in which its choice is people's best
    :param reciprocal_rank: mean of one over the rank that people give its choice
    :param difference: mean human score lost by following it
    """

    hits: Mean
    reciprocal_rank: Mean
    difference: Mean


def select(
    human: np.ndarray, metrics: Mapping[str, np.ndarray], draws: int = DRAWS, drawn: int = DRAWN, seed: int = 0
) -> dict[str, Selection]:
    """Draw `drawn` of the systems `draws` times and judge every metric on the same draws.

    :param human: one score per system
    :param metrics: by name, one score per system, higher is better

    >>> select(np.array([1.0, 2.0, 3.0]), {"same": np.array([1.0, 2.0, 3.0])}, draws=10, drawn=2)["same"].hits
    Mean(value=1.0, margin=0.0)
    """
    _check(human, metrics, draws, drawn)
    totals = {name: np.zeros((2, 3)) for name in metrics}
    for draw in _draws(len(human), draws, drawn, seed):
        people = human[draw]
        best = people.max(axis=1)
        for name, scores in metrics.items():
            chosen = people[np.arange(len(draw)), np.argmax(scores[draw], axis=1)]
            rank = 1 + np.count_nonzero(people > chosen[:, None], axis=1)
            measures = np.stack([rank == 1, 1.0 / rank, best - chosen])
            totals[name] += np.stack([measures.sum(axis=1), (measures**2).sum(axis=1)])
    return {
        name: Selection(*(Mean.of(float(total), float(squares), draws) for total, squares in both.T))
        for name, both in totals.items()
    }


def _check(human: np.ndarray, metrics: Mapping[str, np.ndarray], draws: int, drawn: int) -> None:
    if draws < 1:
        raise UsageError(f"at least one draw is needed, not {draws}")
    if not 2 <= drawn <= len(human):
        raise UsageError(f"cannot draw {drawn} of {len(human)} systems: draw at least 2 and at most all")
    for name, scores in {"human": human, **metrics}.items():
        if np.shape(scores) != np.shape(human) or not np.all(np.isfinite(scores)):
            raise UsageError(f"{name} needs one finite score for each of the {len(human)} systems")


def _draws(systems: int, draws: int, drawn: int, seed: int) -> Iterator[np.ndarray]:
    """Yield blocks of draws x drawn different systems, in random order, so that ties are broken at random."""
    random = np.random.default_rng(seed)
    crowded = drawn**2 > 4 * systems  # redrawing until all differ would take too long
    block = max(1, (1 << 22) // systems) if crowded else 4096
    for start in range(0, draws, block):
        shape = (min(block, draws - start), drawn)
        yield _shuffled(random, systems, shape) if crowded else _redrawn(random, systems, shape)


def _shuffled(random: np.random.Generator, systems: int, shape: tuple[int, int]) -> np.ndarray:
    everything = np.broadcast_to(np.arange(systems), (shape[0], systems))
    return random.permuted(everything, axis=1)[:, : shape[1]]


def _redrawn(random: np.random.Generator, systems: int, shape: tuple[int, int]) -> np.ndarray:
    """Redraw rows in which a system is repeated: the rest is uniform over rows without repetition."""
    draw = random.integers(systems, size=shape, dtype=np.int32)
    repeated = _repeats(draw)
    while len(repeated):
        draw[repeated] = random.integers(systems, size=(len(repeated), shape[1]), dtype=np.int32)
        repeated = repeated[_repeats(draw[repeated])]
    return draw


def _repeats(draw: np.ndarray) -> np.ndarray:
    """Return the rows in which a system is drawn twice."""
    ordered = np.sort(draw, axis=1)
    return np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
