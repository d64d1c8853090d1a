"""K-means in float32 products: good enough starts (k-means++), then Lloyd's steps until next to nothing moves."""

from __future__ import annotations

import numpy as np

_STEPS = 100
_SETTLED = 1e-3  # the share of vectors that may still change their cluster in the last step
_STARTS = 4
_SKETCH = 2048  # rows on which starting centres are tried out
_EQUAL = 1e-6


def cluster(vectors: np.ndarray, count: int, random: np.random.Generator) -> np.ndarray:
    """The cluster of each vector; fewer than `count` clusters where there are fewer distinct vectors.

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


def _start(vectors: np.ndarray, count: int, random: np.random.Generator) -> np.ndarray:
    """The best of some k-means++ draws, judged on a sketch of the vectors."""
    sketch = vectors[random.choice(len(vectors), min(_SKETCH, len(vectors)), replace=False)]
    draws = [_plus_plus(sketch, count, random) for _ in range(_STARTS)]
    return min(draws, key=lambda centres: float(_nearest(sketch, centres)[1].sum()))


def _plus_plus(vectors: np.ndarray, count: int, random: np.random.Generator) -> np.ndarray:
    """Centres drawn one after another, each with a chance by its squared distance to the nearest so far."""
    norms = np.square(vectors).sum(axis=1, dtype=np.float64)
    chosen: list[int] = []
    distances = np.ones(len(vectors))
    while len(chosen) < count and distances.any():
        place = int(random.choice(len(vectors), p=distances / distances.sum()))
        found = norms + norms[place] - 2.0 * (vectors @ vectors[place])
        found[found < _EQUAL * norms.max()] = 0  # equal but for the rounding of the products
        distances = np.minimum(distances, found) if chosen else found
        chosen.append(place)
    return vectors[chosen]


def _nearest(vectors: np.ndarray, centres: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The nearest centre of each vector, and its squared distance without the vector's own norm."""
    distances = np.square(centres).sum(axis=1) - 2 * (vectors @ centres.T)
    labels = distances.argmin(axis=1)
    return labels, np.take_along_axis(distances, labels[:, None], axis=1)[:, 0]


def _means(vectors: np.ndarray, labels: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """New centres; an empty cluster keeps its old one."""
    member = (labels == np.arange(len(centres))[:, None]).astype(np.float32)
    sizes = member.sum(axis=1)
    found: np.ndarray = np.where(
        sizes[:, None] > 0, (member @ vectors) / np.maximum(sizes, 1)[:, None], centres
    ).astype(np.float32)
    return found
