"""K-means against scikit-learn's inertia."""

from __future__ import annotations

import numpy as np
from sklearn.cluster import KMeans

from farthing.neighbours.clusters import cluster


def inertia(vectors: np.ndarray, labels: np.ndarray) -> float:
    groups = [vectors[labels == label] for label in np.unique(labels)]
    return float(sum(np.square(group - group.mean(axis=0)).sum() for group in groups))


def test_finds_separate_groups_whole() -> None:
    random = np.random.default_rng(0)
    truth = random.integers(0, 5, 500)
    vectors = random.standard_normal((5, 8))[truth] * 20 + random.standard_normal((500, 8))
    labels = cluster(vectors, 5, np.random.default_rng(1))
    assert len({(int(a), int(b)) for a, b in zip(truth, labels, strict=True)}) == 5


def test_is_as_tight_as_scikit_learn() -> None:
    vectors = np.random.default_rng(0).standard_normal((800, 6))
    own = inertia(vectors, cluster(vectors, 20, np.random.default_rng(0)))
    peer = KMeans(20, n_init=10, random_state=0).fit(vectors).inertia_
    assert own < 1.03 * peer  # both end in one of many near-equal local minima


def test_same_seed_same_clusters_and_few_distinct_vectors() -> None:
    vectors = np.array([[0.0, 1.0], [2.0, 3.0]])[np.random.default_rng(0).integers(0, 2, 30)]
    first, second = (cluster(vectors, 20, np.random.default_rng(7)) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    assert len(np.unique(first)) == 2
