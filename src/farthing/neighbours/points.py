"""Vectors prepared for very many distances: float32 products with a proven error bound, exact where it matters.

A block of float32 matrix products gives a lower bound of every squared distance in one pass. If a bound does not decide
a comparison, the distance of the pair is computed from the differences in float64, by the same operations in the same
order for every pair: equal pairs of vectors have equal distances, to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from farthing.core.arrays import Indices, Matrix, Vectors, Weights

BLOCK = 2048  # rows per block: small enough for the cache, large enough for a fast matrix product
_DIRECT = 1 << 21  # how many differences are in memory at a time
_ROUNDING = 2.0**-24  # the unit roundoff of float32
_TINY = 1e-30  # far above the error of float32 underflow, far below any distance that matters


@dataclass(frozen=True, slots=True)
class Distinct:
    """Vectors without repetition.

    :param rows: the distinct vectors
    :param weights: how often each of them occurs
    :param inverse: for every given vector, its place among the distinct ones
    """

    rows: Vectors
    weights: Indices
    inverse: Indices

    @classmethod
    def of(cls, vectors: Vectors) -> Distinct:
        """Merge equal vectors.

        >>> Distinct.of(np.array([[1.0], [2.0], [1.0]])).weights.tolist()
        [2, 1]
        """
        places: dict[bytes, int] = {}
        # Adding zero turns -0.0 into 0.0: the two are equal, but their bytes are not.
        rows = (row for part in _parts(vectors) for row in part + 0)
        keys = (blake2b(row.tobytes(), digest_size=16).digest() for row in rows)
        inverse = np.fromiter((places.setdefault(key, len(places)) for key in keys), np.int64, len(vectors))
        weights = np.bincount(inverse, minlength=len(places))
        if len(places) == len(vectors):
            return cls(vectors, weights, inverse)
        _, first = np.unique(inverse, return_index=True)
        return cls(vectors[first], weights, inverse)

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, slots=True)
class Frame:
    """A common origin and unit in which float32 neither overflows nor loses more precision than necessary."""

    origin: Vectors
    unit: float

    @classmethod
    def around(cls, *sets: Vectors) -> Frame:
        """Return the frame of some sets: the mean of the first, and a power of two near the largest coordinate."""
        origin = sets[0].mean(axis=0, dtype=np.float64)
        largest = max(float(np.abs(part - origin).max()) for rows in sets for part in _parts(rows))
        return cls(origin, float(2.0 ** np.ceil(np.log2(largest))) if largest else 1.0)


class FramedPoints:
    """Vectors in a frame, whose products are lower bounds of squared distances, in units of the frame."""

    def __init__(self, rows: Vectors, frame: Frame) -> None:
        count, dimensions = rows.shape
        # Rounding the coordinates (4), summing the products (2 per term) and rounding the norms, times |x|² + |y|².
        self.doubt = (2 * dimensions + 16) * _ROUNDING
        self.norms = np.empty(count)
        self._left = np.empty((count, dimensions + 2), dtype=np.float32)
        for start, part in zip(range(0, count, BLOCK), _parts(rows), strict=True):
            self._fill(slice(start, start + BLOCK), (part - frame.origin) / frame.unit)

    def _fill(self, place: slice, part: Vectors) -> None:
        block = self._left[place]
        block[:, :-2] = part
        self.norms[place] = np.square(block[:, :-2], dtype=np.float64).sum(axis=1)
        block[:, -2] = (1 - self.doubt) * self.norms[place] - _TINY
        block[:, -1] = 1

    def __len__(self) -> int:
        return len(self.norms)

    def lower(self, mine: slice | Indices, other: FramedPoints, theirs: slice) -> Matrix:
        """Return lower bounds of the squared distances between rows of this set and rows of the other set."""
        right = -2 * other._left[theirs]
        right[:, -2] = 1
        right[:, -1] = other._left[theirs, -2]
        bounds: Matrix = self._left[mine] @ right.T
        return bounds

    def spread(self, mine: Indices, other: FramedPoints, theirs: Indices) -> Weights:
        """Return how far the true squared distance of every pair can exceed its lower bound."""
        most: Weights = 2 * self.doubt * (self.norms[mine] + other.norms[theirs]) + 4 * _TINY
        return most


def blocks(count: int) -> list[slice]:
    """Cut the rows of a set into blocks."""
    return [slice(start, min(start + BLOCK, count)) for start in range(0, count, BLOCK)]


def squared_distances(first: Vectors, second: Vectors) -> Weights:
    """Compute the squared distance between every row of the first set and the same row of the second set.

    >>> squared_distances(np.array([[0.0, 3.0]]), np.array([[4.0, 0.0]]))
    array([25.])
    """
    difference = np.subtract(first, second, dtype=np.float64)
    squared: Weights = np.square(difference, out=difference).sum(axis=1)
    return squared


def pair_distances(first: Vectors, mine: Indices, second: Vectors, theirs: Indices) -> Weights:
    """Compute the squared distances of pairs of rows, given by their indices, in bounded memory."""
    step = max(1, _DIRECT // first.shape[1])
    squared = np.empty(len(mine))
    for start in range(0, len(mine), step):
        part = slice(start, start + step)
        squared[part] = squared_distances(first[mine[part]], second[theirs[part]])
    return squared


def _parts(rows: Vectors) -> Iterator[Vectors]:
    return (rows[start : start + BLOCK] for start in range(0, len(rows), BLOCK))
