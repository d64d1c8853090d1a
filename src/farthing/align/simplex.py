"""The transport problem by the network simplex, in Python and numpy alone.

A basis of the problem is a tree: its nodes are the rows and the columns, its edges the cells that carry flow. Each step
takes in the cell that saves most, pushes flow around the circle that it closes, and drops the cell that runs empty. The
weights are moved by amounts too small to matter, so that exactly one cell runs empty and no step is in vain.
"""

from __future__ import annotations

import numpy as np

from farthing.core.arrays import Matrix, Weights

_MOVED = 1e-11  # how far the weights are moved, in all
_GAIN = 1e-12  # the least gain of a step, relative to the largest cost


def cheapest_flow(left: Weights, right: Weights, cost: Matrix) -> Matrix:
    """Return how much goes from each row to each column so that the whole costs least.

    :param left: positive weights of the rows, with the same sum as those of the columns

    >>> cheapest_flow(np.array([0.5, 0.5]), np.array([0.25, 0.75]), np.array([[0.0, 2.0], [1.0, 2.0]])).tolist()
    [[0.25, 0.25], [0.0, 0.5]]
    """
    tree = _Tree(left, right, cost)
    least = -_GAIN * max(1.0, float(np.abs(cost).max()))
    while True:
        gains = cost - tree.prices[: len(left), None] - tree.prices[len(left) :]
        place = int(gains.argmin())
        row, column = divmod(place, len(right))
        if gains[row, column] >= least:
            return tree.exact_flow(left, right)
        tree.take_in(row, len(left) + column, float(gains[row, column]))


class _Tree:
    """The cells with flow as a tree: rows are the nodes 0 to m - 1, columns the nodes from m on.

    Prices of rows and columns add up to the cost of every cell in the tree.
    """

    def __init__(self, left: Weights, right: Weights, cost: Matrix) -> None:
        self.rows = len(left)
        count = self.rows + len(right)
        self.flow: dict[tuple[int, int], float] = {}
        self.near: list[list[int]] = [[] for _ in range(count)]
        self.parent, self.depth = [-1] * count, [0] * count
        self.prices = np.zeros(count)
        self._start(left, right, cost)
        self._hang(0, -1, cost)

    def _start(self, left: Weights, right: Weights, cost: Matrix) -> None:
        """Fill the cheapest cells first, judged by what they cost more than the cheapest of their row and column."""
        supply = (left + _MOVED / len(left)).tolist()
        demand = right.tolist()
        demand[-1] += _MOVED
        rows, columns = set(range(len(left))), set(range(len(right)))
        excess = cost - cost.min(axis=1, keepdims=True)
        excess = excess - excess.min(axis=0)
        for place in np.argsort(excess, axis=None, kind="stable").tolist():
            row, column = divmod(place, len(right))
            if row not in rows or column not in columns:
                continue
            amount = min(supply[row], demand[column])
            self._join(row, self.rows + column, amount)
            supply[row] -= amount
            demand[column] -= amount
            if len(rows) == len(columns) == 1:
                return
            if len(columns) == 1 or (len(rows) > 1 and supply[row] <= demand[column]):
                rows.discard(row)
            else:
                columns.discard(column)

    def _join(self, row: int, column: int, amount: float) -> None:
        self.flow[row, column] = amount
        self.near[row].append(column)
        self.near[column].append(row)

    def _hang(self, top: int, parent: int, cost: Matrix) -> None:
        """Set parents, depths and prices below a node."""
        waiting = [(top, parent)]
        while waiting:
            node, parent = waiting.pop()
            self.parent[node] = parent
            if parent >= 0:
                self.depth[node] = self.depth[parent] + 1
                row, column = self._cell(node, parent)
                self.prices[node] = cost[row, column - self.rows] - self.prices[parent]
            waiting.extend((other, node) for other in self.near[node] if other != parent)

    def _cell(self, node: int, other: int) -> tuple[int, int]:
        return (node, other) if node < self.rows else (other, node)

    def take_in(self, row: int, column: int, gain: float) -> None:
        """Add a cell to the tree, and drop the one that runs empty."""
        above_row, above_column = self._circle(row, column)
        losing = [*above_row[::2], *above_column[::2]]  # flow moves from every other cell of the circle to the next
        cells = [self._cell(node, self.parent[node]) for node in losing]
        amounts = [self.flow[cell] for cell in cells]
        amount = min(amounts)
        place = amounts.index(amount)
        dropped = losing[place]
        for cell in cells:
            self.flow[cell] -= amount
        for node in (*above_row[1::2], *above_column[1::2]):
            self.flow[self._cell(node, self.parent[node])] += amount
        self._cut(dropped)
        self._join(row, column, amount)
        inner, outer = (row, column) if dropped in above_row else (column, row)
        self._rehang(inner, outer, gain)

    def _circle(self, row: int, column: int) -> tuple[list[int], list[int]]:
        """Return the nodes on the ways from a row and from a column up to where these meet, which is left out."""
        above_row, above_column = [], []
        while row != column:
            if self.depth[row] >= self.depth[column]:
                above_row.append(row)
                row = self.parent[row]
            else:
                above_column.append(column)
                column = self.parent[column]
        return above_row, above_column

    def _cut(self, node: int) -> None:
        parent = self.parent[node]
        del self.flow[self._cell(node, parent)]
        self.near[node].remove(parent)
        self.near[parent].remove(node)

    def _rehang(self, top: int, parent: int, gain: float) -> None:
        """Hang the part of the tree that was cut off below its new parent; its prices move by the gain."""
        change = {True: gain, False: -gain}
        waiting = [(top, parent)]
        moved, steps = [], []
        side = top < self.rows
        while waiting:
            node, parent = waiting.pop()
            self.parent[node], self.depth[node] = parent, self.depth[parent] + 1
            moved.append(node)
            steps.append(change[(node < self.rows) == side])
            waiting.extend((other, node) for other in self.near[node] if other != parent)
        self.prices[moved] += steps

    def exact_flow(self, left: Weights, right: Weights) -> Matrix:
        """Return the flow of the tree for the weights as they were given, from its leaves to its root."""
        flow = np.zeros((len(left), len(right)))
        rest = [*left.tolist(), *right.tolist()]
        for node in sorted(range(len(rest)), key=lambda node: -self.depth[node])[:-1]:
            row, column = self._cell(node, self.parent[node])
            flow[row, column - self.rows] = max(0.0, rest[node])
            rest[self.parent[node]] -= rest[node]
        return flow
