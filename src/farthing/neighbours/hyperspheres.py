"""Who lies in whose sphere: the counts under Mark-Evaluate and improved precision and recall, exactly.

Every sample has a sphere that reaches to its k-th nearest neighbour in its own set. Across the sets, the counts
say how many samples of the other set lie in each sphere, and which samples lie in any; the border belongs to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from farthing.core.progress import Progress, silent
from farthing.core.threads import in_threads, thread_count
from farthing.neighbours.points import Distinct, Frame, Points, blocks, pair_distances
from farthing.neighbours.search import search_pairs, squared_radii


@dataclass(frozen=True, slots=True)
class Spheres:
    """A set with the squared radii of its samples' spheres, a column for each k."""

    points: Distinct
    ks: tuple[int, ...]
    squared_radii: np.ndarray

    @classmethod
    def of(
        cls, vectors: np.ndarray, ks: Sequence[int], *, threads: int | None = None, progress: Progress = silent
    ) -> Spheres:
        """Find the spheres of a set; each k must be below the number of samples."""
        points = Distinct.of(vectors)
        return cls(points, tuple(ks), squared_radii(points, ks, threads=threads, progress=progress))


@dataclass(frozen=True, slots=True)
class Side:
    """What the crossing of two sets says of one set, a row a sample and a column for each k.

    :param covered: does the sample lie in any sphere of the other set?
    :param reached: how many samples of the other set lie in the sample's own sphere
    """

    covered: np.ndarray
    reached: np.ndarray


def cross(
    first: Spheres, second: Spheres, *, threads: int | None = None, progress: Progress = silent
) -> tuple[Side, Side]:
    """Count for two sets who lies in whose sphere; every distance is looked at once, whatever the number of k.

    >>> left = Spheres.of(np.array([[0.0], [1.0]]), [1])
    >>> right = Spheres.of(np.array([[2.0], [9.0]]), [1])
    >>> [side.covered.ravel().tolist() for side in cross(left, right)]
    [[True, True], [True, False]]
    """
    crossing = _Crossing(first, second)
    tasks = ((mine, theirs) for mine in blocks(len(first.points)) for theirs in blocks(len(second.points)))
    for count in in_threads(crossing.look, tasks, thread_count(threads)):
        crossing.add(count)
        progress((count.mine.stop - count.mine.start) * (count.theirs.stop - count.theirs.start))
    return crossing.sides()


def crossing_pairs(generated: int, corpus: int, *, with_corpus: bool = True) -> int:
    """How many pairs two sets' spheres and their crossing look at: the total of the progress."""
    own = search_pairs(corpus) if with_corpus else 0
    return search_pairs(generated) + own + generated * corpus


@dataclass(frozen=True, slots=True)
class _Count:
    mine: slice
    theirs: slice
    covered: list[np.ndarray]
    reached: list[np.ndarray]


class _Crossing:
    """The counts over distinct points, as they come in block by block."""

    def __init__(self, first: Spheres, second: Spheres) -> None:
        self.sets = (first, second)
        frame = Frame.around(first.points.rows, second.points.rows)
        self.unit = frame.unit**2
        self.ready = tuple(Points(each.points.rows, frame) for each in self.sets)
        self.reach = tuple(_rounded_up(each.squared_radii.max(axis=1) / self.unit) for each in self.sets)
        shapes = [each.squared_radii.shape for each in self.sets]
        self.covered = tuple(np.zeros(shape, dtype=bool) for shape in shapes)
        self.reached = tuple(np.zeros(shape, dtype=np.int64) for shape in shapes)

    def look(self, task: tuple[slice, slice]) -> _Count:
        """Count in one block."""
        mine, theirs = task
        lower = self.ready[0].lower(mine, self.ready[1], theirs)
        mask = lower <= self.reach[0][mine, None]
        mask |= lower <= self.reach[1][theirs]
        row, column = np.divmod(np.flatnonzero(mask), lower.shape[1])
        places = (row + mine.start, column + theirs.start)
        squared = self._decided(places, lower[row, column].astype(np.float64))
        return _Count(mine, theirs, *self._counted(squared, places, (row, column), lower.shape))

    def _counted(
        self,
        squared: np.ndarray,
        places: tuple[np.ndarray, np.ndarray],
        local: tuple[np.ndarray, np.ndarray],
        sizes: tuple[int, ...],
    ) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """For both sides of a block who is covered, and how many each sphere reaches."""
        covered, reached = [], []
        for side, other in ((0, 1), (1, 0)):
            inside = squared[:, None] <= self.sets[side].squared_radii[places[side]]
            weights = self.sets[other].points.weights[places[other]]
            reached.append(_sums(local[side], inside * weights[:, None], sizes[side]))
            covered.append(_sums(local[other], inside, sizes[other]) > 0)
        return covered[::-1], reached

    def _decided(self, places: tuple[np.ndarray, np.ndarray], lower: np.ndarray) -> np.ndarray:
        """Squared distances on the right side of every radius: exact where rounding could move them across."""
        upper = lower + self.ready[0].spread(places[0], self.ready[1], places[1])
        lower, upper = lower * self.unit, upper * self.unit
        unsure = np.zeros(len(lower), dtype=bool)
        for each, place in zip(self.sets, places, strict=True):
            for radius in each.squared_radii.T:
                unsure |= (lower <= radius[place]) & (upper >= radius[place])
        rows = (self.sets[0].points.rows, self.sets[1].points.rows)
        lower[unsure] = pair_distances(rows[0], places[0][unsure], rows[1], places[1][unsure])
        return lower

    def add(self, count: _Count) -> None:
        for side, place in enumerate((count.mine, count.theirs)):
            self.covered[side][place] |= count.covered[side]
            self.reached[side][place] += count.reached[side]

    def sides(self) -> tuple[Side, Side]:
        """The counts of every sample, repeated ones included."""
        first, second = (
            Side(covered[each.points.inverse], reached[each.points.inverse])
            for each, covered, reached in zip(self.sets, self.covered, self.reached, strict=True)
        )
        return first, second


def _sums(place: np.ndarray, values: np.ndarray, size: int) -> np.ndarray:
    """The sum of the values at each place, a column for each k."""
    return np.stack([np.bincount(place, column, size) for column in values.T], axis=1).astype(np.int64)


def _rounded_up(values: np.ndarray) -> np.ndarray:
    """The values in float32, never smaller."""
    found: np.ndarray = np.nextafter(values.astype(np.float32), np.float32(np.inf))
    return found
