"""Vectors made ready for very many distances: float32 products with a proven error bound, exact where it matters.

A block of float32 matrix products gives a lower bound of every squared distance in one pass. Where a bound
leaves a question open, the pair's distance is computed from the differences in float64, by the same
operations in the same order for every pair: equal pairs of vectors have equal distances, to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

BLOCK = 2048  # rows of a block: its products stay near the cache, and BLAS is at its best
_DIRECT = 1 << 21  # numbers in memory at a time where differences are taken
_ROUNDING = 2.0**-24  # of float32
_TINY = 1e-30  # far above what float32 loses where numbers are too small for it, far below what matters


@dataclass(frozen=True, slots=True)
class Distinct:
    """Vectors without repetition.

    :param rows: the distinct vectors
    :param weights: how often each of them occurs
    :param inverse: for every vector that was given, its place among the distinct
    """

    rows: np.ndarray
    weights: np.ndarray
    inverse: np.ndarray

    @classmethod
    def of(cls, vectors: np.ndarray) -> Distinct:
        """Merge equal vectors.

        >>> Distinct.of(np.array([[1.0], [2.0], [1.0]])).weights.tolist()
        [2, 1]
        """
        places: dict[bytes, int] = {}
        # Adding zero makes one of the two zeros, which are equal but not the same bytes.
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
    """A common origin and unit, in which float32 neither overflows nor loses more than it must."""

    origin: np.ndarray
    unit: float

    @classmethod
    def around(cls, *sets: np.ndarray) -> Frame:
        """The frame of some sets: the first one's mean, and a power of two near the largest coordinate."""
        origin = sets[0].mean(axis=0, dtype=np.float64)
        largest = max(float(np.abs(part - origin).max()) for rows in sets for part in _parts(rows))
        return cls(origin, float(2.0 ** np.ceil(np.log2(largest))) if largest else 1.0)


class Points:
    """Rows of vectors in a frame, whose products are lower bounds of squared distances in units of the frame."""

    def __init__(self, rows: np.ndarray, frame: Frame) -> None:
        count, dimensions = rows.shape
        # Rounding the coordinates (4), summing the products (2 a term) and rounding the norms, times |x|² + |y|².
        self.doubt = (2 * dimensions + 16) * _ROUNDING
        self.norms = np.empty(count)
        self._left = np.empty((count, dimensions + 2), dtype=np.float32)
        for start, part in zip(range(0, count, BLOCK), _parts(rows), strict=True):
            self._fill(slice(start, start + BLOCK), (part - frame.origin) / frame.unit)

    def _fill(self, place: slice, part: np.ndarray) -> None:
        block = self._left[place]
        block[:, :-2] = part
        self.norms[place] = np.square(block[:, :-2], dtype=np.float64).sum(axis=1)
        block[:, -2] = (1 - self.doubt) * self.norms[place] - _TINY
        block[:, -1] = 1

    def __len__(self) -> int:
        return len(self.norms)

    def lower(self, mine: slice | np.ndarray, other: Points, theirs: slice) -> np.ndarray:
        """Lower bounds of the squared distances between some rows of this and some of the other set."""
        right = -2 * other._left[theirs]
        right[:, -2] = 1
        right[:, -1] = other._left[theirs, -2]
        found: np.ndarray = self._left[mine] @ right.T
        return found

    def spread(self, mine: np.ndarray, other: Points, theirs: np.ndarray) -> np.ndarray:
        """How far the true squared distance of each pair may lie above its lower bound."""
        found: np.ndarray = 2 * self.doubt * (self.norms[mine] + other.norms[theirs]) + 4 * _TINY
        return found


def blocks(count: int) -> list[slice]:
    """The rows of a set, cut into blocks."""
    return [slice(start, min(start + BLOCK, count)) for start in range(0, count, BLOCK)]


def squared_distances(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The squared distance of each row of the first from the same row of the second, from their differences.

    >>> squared_distances(np.array([[0.0, 3.0]]), np.array([[4.0, 0.0]]))
    array([25.])
    """
    difference = np.subtract(first, second, dtype=np.float64)
    found: np.ndarray = np.square(difference, out=difference).sum(axis=1)
    return found


def pair_distances(first: np.ndarray, mine: np.ndarray, second: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """The squared distances of pairs of rows, given by their places, in memory that does not grow with them."""
    step = max(1, _DIRECT // first.shape[1])
    found = np.empty(len(mine))
    for start in range(0, len(mine), step):
        part = slice(start, start + step)
        found[part] = squared_distances(first[mine[part]], second[theirs[part]])
    return found


def _parts(rows: np.ndarray) -> Iterator[np.ndarray]:
    return (rows[start : start + BLOCK] for start in range(0, len(rows), BLOCK))
