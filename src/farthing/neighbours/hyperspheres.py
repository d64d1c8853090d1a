"""Which samples lie in which spheres: the exact counts of Mark-Evaluate and of improved precision and recall.

Every sample has a sphere that reaches to its k-th nearest neighbour in its own set. The counts tell how many samples of
the other set lie in each sphere, and which samples lie in any sphere; the border belongs to the sphere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from farthing.core.arrays import Indices, Mask, Matrix, Vectors, Weights
from farthing.core.progress import Progress, silent
from farthing.core.threads import in_threads, thread_count
from farthing.neighbours.points import Distinct, Frame, FramedPoints, blocks, pair_distances
from farthing.neighbours.search import search_pairs, squared_radii


@dataclass(frozen=True, slots=True)
class Spheres:
    """A set and the squared radii of its samples' spheres, one column per k."""

    points: Distinct
    ks: tuple[int, ...]
    squared_radii: Matrix

    @classmethod
    def of(
        cls, vectors: Vectors, ks: Sequence[int], *, threads: int | None = None, progress: Progress = silent
    ) -> Spheres:
        """Find the spheres of a set; every k must be smaller than the number of samples."""
        points = Distinct.of(vectors)
        return cls(points, tuple(ks), squared_radii(points, ks, threads=threads, progress=progress))


@dataclass(frozen=True, slots=True)
class Coverage:
    """How one set relates to the spheres of another set, with one row per sample and one column per k.

    :param covered: whether the sample lies in any sphere of the other set
    :param reached: how many samples of the other set lie in the sphere of the sample
    """

    covered: Mask
    reached: Indices


def cross(
    first: Spheres, second: Spheres, *, threads: int | None = None, progress: Progress = silent
) -> tuple[Coverage, Coverage]:
    """Count which samples of two sets lie in which spheres; every pair is compared once for all k together.

    >>> left = Spheres.of(np.array([[0.0], [1.0]]), [1])
    >>> right = Spheres.of(np.array([[2.0], [9.0]]), [1])
    >>> [coverage.covered.ravel().tolist() for coverage in cross(left, right)]
    [[True, True], [True, False]]
    """
    crossing = _Crossing(first, second)
    tasks = ((mine, theirs) for mine in blocks(len(first.points)) for theirs in blocks(len(second.points)))
    for count in in_threads(crossing.look, tasks, thread_count(threads)):
        crossing.add(count)
        progress((count.mine.stop - count.mine.start) * (count.theirs.stop - count.theirs.start))
    return crossing.coverage()


def crossing_pairs(generated: int, corpus: int, *, with_corpus: bool = True) -> int:
    """Return how many pairs are compared for the spheres of two sets and their crossing: the total of the progress."""
    own = search_pairs(corpus) if with_corpus else 0
    return search_pairs(generated) + own + generated * corpus


@dataclass(frozen=True, slots=True)
class _Count:
    """The counts of one block, first for its rows, then for its columns."""

    mine: slice
    theirs: slice
    covered: list[Mask]
    reached: list[Indices]


class _Crossing:
    """The counts of the distinct points, summed block by block."""

    def __init__(self, first: Spheres, second: Spheres) -> None:
        self.sets = (first, second)
        frame = Frame.around(first.points.rows, second.points.rows)
        self.unit = frame.unit**2
        self.ready = tuple(FramedPoints(each.points.rows, frame) for each in self.sets)
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
        squared: Weights,
        places: tuple[Indices, Indices],
        local: tuple[Indices, Indices],
        sizes: tuple[int, ...],
    ) -> tuple[list[Mask], list[Indices]]:
        """Tell for the rows and the columns of a block which are covered, and how many samples each sphere reaches."""
        covered, reached = [], []
        for side, other in ((0, 1), (1, 0)):
            inside = squared[:, None] <= self.sets[side].squared_radii[places[side]]
            weights = self.sets[other].points.weights[places[other]]
            reached.append(_sums(local[side], inside * weights[:, None], sizes[side]))
            covered.append(_sums(local[other], inside, sizes[other]) > 0)
        return covered[::-1], reached

    def _decided(self, places: tuple[Indices, Indices], lower: Weights) -> Weights:
        """Return squared distances on the right side of every radius: exact if rounding could move them across."""
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
        """Add the counts of one block."""
        for side, place in enumerate((count.mine, count.theirs)):
            self.covered[side][place] |= count.covered[side]
            self.reached[side][place] += count.reached[side]

    def coverage(self) -> tuple[Coverage, Coverage]:
        """Return the counts of all samples, repeated ones included."""
        first, second = (
            Coverage(covered[each.points.inverse], reached[each.points.inverse])
            for each, covered, reached in zip(self.sets, self.covered, self.reached, strict=True)
        )
        return first, second


def _sums(place: Indices, values: np.ndarray, size: int) -> Indices:
    """Sum the values at every place, one column per k."""
    return np.stack([np.bincount(place, column, size) for column in values.T], axis=1).astype(np.int64)


def _rounded_up(values: Weights) -> Weights:
    """Convert to float32 without making any value smaller."""
    rounded: Weights = np.nextafter(values.astype(np.float32), np.float32(np.inf))
    return rounded
