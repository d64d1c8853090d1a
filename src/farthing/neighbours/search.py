"""Exact distances to the k-th nearest neighbour, for any number of k in one pass and in memory O(n)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from farthing.core.progress import Progress, silent
from farthing.core.threads import in_threads, thread_count
from farthing.neighbours.points import Distinct, Frame, Points, blocks, pair_distances

SPARE = 8  # neighbours kept beyond the ones asked for, so that rounding can seldom leave a question open
_SECOND = 64  # rows at a time where it did


def squared_radii(
    points: Distinct, ks: Sequence[int], *, threads: int | None = None, progress: Progress = silent
) -> np.ndarray:
    """The squared distance of every distinct point to its k-th nearest other sample, a column for each k.

    A point that occurs several times is its own neighbour at distance zero.

    :param progress: is told how many pairs of rows have been looked at since the last call

    >>> squared_radii(Distinct.of(np.array([[0.0], [1.0], [3.0]])), [1, 2])
    array([[1., 9.],
           [1., 4.],
           [4., 9.]])
    """
    ready = Points(points.rows, Frame.around(points.rows))
    search = _Search(points, ready, max(ks))
    search.run(thread_count(threads), progress)
    return search.radii(ks)


def search_pairs(count: int) -> int:
    """How many pairs of rows `squared_radii` looks at: the total of its progress."""
    return count * (count + 1) // 2


class _Search:
    """The nearest neighbours found so far, by the lower bounds of their squared distances."""

    def __init__(self, points: Distinct, ready: Points, most: int) -> None:
        self.points, self.ready = points, ready
        self.most = min(most, len(points) - 1)
        self.keep = min(self.most + SPARE, len(points) - 1)
        self.lower = np.full((len(points), self.keep), np.inf, dtype=np.float32)
        self.index = np.zeros((len(points), self.keep), dtype=np.int64)
        self.limit = np.full(len(points), np.inf, dtype=np.float32)  # nothing below it has been dropped

    def run(self, threads: int, progress: Progress) -> None:
        """Look at every pair once; the blocks on the diagonal first, for they give every row its first limit."""
        if not self.keep:
            return
        parts = blocks(len(self.points))
        diagonal = ((part, part) for part in parts)
        beyond = ((mine, theirs) for i, mine in enumerate(parts) for theirs in parts[i + 1 :])
        for tasks in (diagonal, beyond):
            for pairs, found in in_threads(self._look, tasks, threads):
                for rows, others, lower in found:
                    self._merge(rows, others, lower)
                progress(pairs)

    def _look(self, task: tuple[slice, slice]) -> tuple[int, list[tuple[np.ndarray, np.ndarray, np.ndarray]]]:
        """The pairs of a block that may be near, seen from its rows and from its columns."""
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

    def _near(
        self, lower: np.ndarray, mine: slice, theirs: slice, mask: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        row, column = np.divmod(np.flatnonzero(mask), lower.shape[1])
        values = lower[row, column]
        finite = np.isfinite(values)  # a point is not its own neighbour
        return row[finite] + mine.start, column[finite] + theirs.start, values[finite]

    def _merge(self, rows: np.ndarray, others: np.ndarray, lower: np.ndarray) -> None:
        """Add pairs, sorted by row, to the nearest of their rows, and drop the farthest."""
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

    def radii(self, ks: Sequence[int]) -> np.ndarray:
        """Exact radii: from the kept neighbours, and for the rows where these may not do, from a second look."""
        found = np.empty((len(self.points), len(ks)))
        for part in blocks(len(self.points)):
            mine = np.arange(part.start, part.stop)
            rows, others, open_rows, reach = self._candidates(mine)
            found[mine] = self._weighted(rows, others, mine, ks)
            for start in range(0, len(open_rows), _SECOND):
                some = slice(start, start + _SECOND)
                rows, others = self._look_again(open_rows[some], reach[some])
                found[open_rows[some]] = self._weighted(rows, others, open_rows[some], ks)
        return found

    def _candidates(self, mine: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The kept pairs that can be among the nearest; the rows that may lack one, and how far it may lie."""
        lower, index = self.lower[mine].astype(np.float64), self.index[mine]
        rows = np.broadcast_to(mine[:, None], index.shape)
        if not self.keep:
            return rows.ravel(), index.ravel(), mine[:0], lower.ravel()
        upper = lower + self.ready.spread(rows, self.ready, index)
        kth = np.partition(upper, self.most - 1, axis=1)[:, self.most - 1]
        near = np.isfinite(lower) & (lower <= kth[:, None])
        lacking = (kth > self.limit[mine]) & (self.keep < len(self.points) - 1)
        return rows[near], index[near], mine[lacking], kth[lacking]

    def _look_again(self, mine: np.ndarray, reach: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """All pairs of some rows that can be among the nearest: many distances are all but equal there."""
        rows, others = [], []
        for part in blocks(len(self.points)):
            row, column = np.nonzero(self.ready.lower(mine, self.ready, part) <= reach[:, None])
            other = column + part.start
            real = mine[row] != other
            rows.append(mine[row[real]])
            others.append(other[real])
        found = np.concatenate(rows)
        order = np.argsort(found, kind="stable")
        return found[order], np.concatenate(others)[order]

    def _weighted(self, rows: np.ndarray, others: np.ndarray, mine: np.ndarray, ks: Sequence[int]) -> np.ndarray:
        """The k-th smallest distance of each of `mine`, where a neighbour counts as often as it occurs."""
        distances = pair_distances(self.points.rows, rows, self.points.rows, others)
        order = np.lexsort((distances, rows))
        rows, distances, weights = rows[order], distances[order], self.points.weights[others[order]]
        own = self.points.weights[mine] - 1
        total = np.cumsum(weights)
        before = np.concatenate([[0], total])[np.searchsorted(rows, mine)]
        found = np.zeros((len(mine), len(ks)))
        for column, k in enumerate(ks):
            # Within a row the running total grows, so the k-th neighbour is where it reaches the wanted number.
            farther = k > own
            found[farther, column] = distances[np.searchsorted(total, (before + k - own)[farther])]
        return found
