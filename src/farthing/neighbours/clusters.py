"""K-means with float32 products: k-means++ starts, then Lloyd's steps until (almost) no vector changes its cluster."""

from __future__ import annotations

import numpy as np

from farthing.core.arrays import Indices, Vectors, Weights

_STEPS = 100
_SETTLED = 1e-3  # stop when at most this share of the vectors changes its cluster
_STARTS = 4
_SKETCH = 2048  # how many rows are used to compare starting centres
_EQUAL = 1e-6  # squared distances below this share of the largest squared norm count as zero


def cluster(vectors: Vectors, count: int, random: np.random.Generator) -> Indices:
    """Assign every vector to a cluster; there are fewer than `count` clusters if there are fewer distinct vectors.

    >>> labels = cluster(np.array([[0.0], [0.1], [9.0]]), 2, np.random.default_rng(0))
    >>> bool(labels[0] == labels[1] != labels[2])
    True
    """
    vectors = (vectors - vectors.mean(axis=0, dtype=np.float64)).astype(np.float32)
    centres = _start(vectors, count, random)
    labels = np.full(len(vectors), -1)
    for _ in range(_STEPS):
        assigned = _nearest(vectors, centres)[0]
        settled = np.mean(assigned != labels) <= _SETTLED
        labels = assigned
        if settled:
            break
        centres = _means(vectors, labels, centres)
    return labels


def _start(vectors: Vectors, count: int, random: np.random.Generator) -> Vectors:
    """Return the best of several k-means++ draws, compared on a sample of the vectors."""
    sketch = vectors[random.choice(len(vectors), min(_SKETCH, len(vectors)), replace=False)]
    draws = [_plus_plus(sketch, count, random) for _ in range(_STARTS)]
    return min(draws, key=lambda centres: float(_nearest(sketch, centres)[1].sum()))


def _plus_plus(vectors: Vectors, count: int, random: np.random.Generator) -> Vectors:
    """Draw centres one by one, with a probability proportional to the squared distance to the nearest one so far."""
    norms = np.square(vectors).sum(axis=1, dtype=np.float64)
    chosen: list[int] = []
    distances = np.ones(len(vectors))
    while len(chosen) < count and distances.any():
        place = int(random.choice(len(vectors), p=distances / distances.sum()))
        squared = norms + norms[place] - 2.0 * (vectors @ vectors[place])
        squared[squared < _EQUAL * norms.max()] = 0  # equal up to the rounding of the products
        distances = np.minimum(distances, squared) if chosen else squared
        chosen.append(place)
    return vectors[chosen]


def _nearest(vectors: Vectors, centres: Vectors) -> tuple[Indices, Weights]:
    """Find the nearest centre of every vector, and its squared distance minus the squared norm of the vector."""
    distances = np.square(centres).sum(axis=1) - 2 * (vectors @ centres.T)
    labels = distances.argmin(axis=1)
    return labels, np.take_along_axis(distances, labels[:, None], axis=1)[:, 0]


def _means(vectors: Vectors, labels: Indices, centres: Vectors) -> Vectors:
    """Return the mean of every cluster; an empty cluster keeps its centre."""
    member = (labels == np.arange(len(centres))[:, None]).astype(np.float32)
    sizes = member.sum(axis=1)
    means = (member @ vectors) / np.maximum(sizes, 1)[:, None]
    return np.where(sizes[:, None] > 0, means, centres).astype(np.float32)
