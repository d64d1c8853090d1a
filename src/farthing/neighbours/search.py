"""Exact distances to the k-th nearest neighbours, for several k in one pass and in O(n) memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from farthing.core.arrays import Indices, Mask, Matrix, Weights
from farthing.core.progress import Progress, silent
from farthing.core.threads import in_threads, thread_count
from farthing.neighbours.points import Distinct, Frame, FramedPoints, blocks, pair_distances

SPARE = 8  # how many neighbours more than needed are kept, so that rounding seldom leaves a row undecided
_SECOND = 64  # how many undecided rows are searched again at a time
_Near: TypeAlias = tuple[Indices, Indices, Weights]  # rows, their neighbours, lower bounds of squared distances


def squared_radii(
    points: Distinct, ks: Sequence[int], *, threads: int | None = None, progress: Progress = silent
) -> Matrix:
    """Compute the squared distance of every distinct point to its k-th nearest other sample, one column per k.

    A point that occurs several times is its own neighbour at distance zero.

    :param progress: is called with the number of pairs of rows compared since the last call

    >>> squared_radii(Distinct.of(np.array([[0.0], [1.0], [3.0]])), [1, 2])
    array([[1., 9.],
           [1., 4.],
           [4., 9.]])
    """
    ready = FramedPoints(points.rows, Frame.around(points.rows))
    search = _Search(points, ready, max(ks))
    search.run(thread_count(threads), progress)
    return search.radii(ks)


def search_pairs(count: int) -> int:
    """Return how many pairs of rows :func:`squared_radii` compares: the total of its progress."""
    return count * (count + 1) // 2


class _Search:
    """The nearest neighbours found so far, by the lower bounds of their squared distances."""

    def __init__(self, points: Distinct, ready: FramedPoints, most: int) -> None:
        self.points, self.ready = points, ready
        self.most = min(most, len(points) - 1)
        self.keep = min(self.most + SPARE, len(points) - 1)
        self.lower = np.full((len(points), self.keep), np.inf, dtype=np.float32)
        self.index = np.zeros((len(points), self.keep), dtype=np.int64)
        self.limit = np.full(len(points), np.inf, dtype=np.float32)  # no neighbour with a bound below it was dropped

    def run(self, threads: int, progress: Progress) -> None:
        """Compare every pair once, the blocks on the diagonal first, because they give every row its first limit."""
        if not self.keep:
            return
        parts = blocks(len(self.points))
        diagonal = ((part, part) for part in parts)
        beyond = ((mine, theirs) for i, mine in enumerate(parts) for theirs in parts[i + 1 :])
        for tasks in (diagonal, beyond):
            for pairs, neighbours in in_threads(self._look, tasks, threads):
                for rows, others, lower in neighbours:
                    self._merge(rows, others, lower)
                progress(pairs)

    def _look(self, task: tuple[slice, slice]) -> tuple[int, list[_Near]]:
        """Find the pairs of a block that may be neighbours, seen from its rows and from its columns."""
        mine, theirs = task
        lower = self.ready.lower(mine, self.ready, theirs)
        if mine == theirs:
            np.fill_diagonal(lower, np.inf)
            count = len(lower)
            if self.keep < count:
                self.limit[mine] = np.partition(lower, self.keep - 1, axis=1)[:, self.keep - 1]
            return search_pairs(count), [self._near(lower, mine, theirs, lower <= self.limit[mine, None])]
        rows, others, below = self._near(lower, mine, theirs, lower < self.limit[mine, None])
        columns, back, above = self._near(lower, mine, theirs, lower < self.limit[theirs])
        order = np.argsort(back, kind="stable")
        return lower.size, [(rows, others, below), (back[order], columns[order], above[order])]

    def _near(self, lower: Matrix, mine: slice, theirs: slice, mask: Mask) -> _Near:
        row, column = np.divmod(np.flatnonzero(mask), lower.shape[1])
        values = lower[row, column]
        finite = np.isfinite(values)  # a point is not its own neighbour
        return row[finite] + mine.start, column[finite] + theirs.start, values[finite]

    def _merge(self, rows: Indices, others: Indices, lower: Weights) -> None:
        """Add pairs, sorted by row, to the neighbours of their rows, and drop the farthest ones."""
        if not len(rows):
            return
        touched, first, counts = np.unique(rows, return_index=True, return_counts=True)
        place = np.arange(len(rows)) - np.repeat(first, counts) + self.keep
        slot = np.repeat(np.arange(len(touched)), counts)
        width = self.keep + counts.max()
        values = np.full((len(touched), width), np.inf, dtype=np.float32)
        index = np.zeros((len(touched), width), dtype=np.int64)
        values[:, : self.keep], index[:, : self.keep] = self.lower[touched], self.index[touched]
        values[slot, place], index[slot, place] = lower, others
        best = np.argpartition(values, self.keep - 1, axis=1)[:, : self.keep]
        self.lower[touched] = np.take_along_axis(values, best, axis=1)
        self.index[touched] = np.take_along_axis(index, best, axis=1)
        self.limit[touched] = np.minimum(self.limit[touched], self.lower[touched].max(axis=1))

    def radii(self, ks: Sequence[int]) -> Matrix:
        """Compute exact radii from the kept neighbours, or from a second search for rows that these do not decide."""
        radii = np.empty((len(self.points), len(ks)))
        for part in blocks(len(self.points)):
            mine = np.arange(part.start, part.stop)
            rows, others, open_rows, reach = self._candidates(mine)
            radii[mine] = self._weighted(rows, others, mine, ks)
            for start in range(0, len(open_rows), _SECOND):
                some = slice(start, start + _SECOND)
                rows, others = self._look_again(open_rows[some], reach[some])
                radii[open_rows[some]] = self._weighted(rows, others, open_rows[some], ks)
        return radii

    def _candidates(self, mine: Indices) -> tuple[Indices, Indices, Indices, Weights]:
        """Return the kept pairs that can be among the nearest, the rows that may lack one, and how far it may lie."""
        lower, index = self.lower[mine].astype(np.float64), self.index[mine]
        rows = np.broadcast_to(mine[:, None], index.shape)
        if not self.keep:
            return rows.ravel(), index.ravel(), mine[:0], lower.ravel()
        upper = lower + self.ready.spread(rows, self.ready, index)
        kth = np.partition(upper, self.most - 1, axis=1)[:, self.most - 1]
        near = np.isfinite(lower) & (lower <= kth[:, None])
        lacking = (kth > self.limit[mine]) & (self.keep < len(self.points) - 1)
        return rows[near], index[near], mine[lacking], kth[lacking]

    def _look_again(self, mine: Indices, reach: Weights) -> tuple[Indices, Indices]:
        """Find all pairs of some rows that can be among the nearest; many of their distances are almost equal."""
        rows, others = [], []
        for part in blocks(len(self.points)):
            row, column = np.nonzero(self.ready.lower(mine, self.ready, part) <= reach[:, None])
            other = column + part.start
            real = mine[row] != other
            rows.append(mine[row[real]])
            others.append(other[real])
        places = np.concatenate(rows)
        order = np.argsort(places, kind="stable")
        return places[order], np.concatenate(others)[order]

    def _weighted(self, rows: Indices, others: Indices, mine: Indices, ks: Sequence[int]) -> Matrix:
        """Return the k-th smallest squared distance of every row of `mine`; neighbours count as often as they occur."""
        distances = pair_distances(self.points.rows, rows, self.points.rows, others)
        order = np.lexsort((distances, rows))
        rows, distances, weights = rows[order], distances[order], self.points.weights[others[order]]
        own = self.points.weights[mine] - 1
        total = np.cumsum(weights)
        before = np.concatenate([[0], total])[np.searchsorted(rows, mine)]
        radii = np.zeros((len(mine), len(ks)))
        for column, k in enumerate(ks):
            # The running total grows within a row, so the k-th neighbour is where the total reaches k.
            farther = k > own
            radii[farther, column] = distances[np.searchsorted(total, (before + k - own)[farther])]
        return radii
