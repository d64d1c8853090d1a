"""K-means against scikit-learn's inertia."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.cluster import KMeans

from farthing.neighbours import clusters
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


def test_a_common_offset_changes_nothing() -> None:
    """Vectors far from the origin are centred first, each dimension by its own mean, in float64."""
    random = np.random.default_rng(2)
    vectors = random.standard_normal((3, 4))[random.integers(0, 3, 90)] * 5 + random.standard_normal((90, 4)) * 0.1
    plain = cluster(vectors, 3, np.random.default_rng(0))
    for offset in (np.array([1e5, -1e5, 3e5, 0.0]), np.full(4, 1e6)):
        moved = cluster(vectors + offset, 3, np.random.default_rng(0))
        assert len({(int(a), int(b)) for a, b in zip(plain, moved, strict=True)}) == 3


def test_nearest_centres_and_what_they_cost() -> None:
    vectors = np.array([[0.0, 1.0], [4.0, 0.0], [5.0, 0.0]], dtype=np.float32)
    centres = np.array([[0.0, 0.0], [5.0, 0.0], [0.0, 3.0]], dtype=np.float32)
    labels, costs = clusters._nearest(vectors, centres)
    assert labels.tolist() == [0, 1, 1]
    norms = np.square(vectors).sum(axis=1)
    assert (costs + norms).tolist() == [1.0, 1.0, 0.0]


def test_means_of_clusters_and_of_one_and_of_none() -> None:
    vectors = np.array([[0.0], [2.0], [9.0]], dtype=np.float32)
    centres = np.array([[0.5], [8.0], [100.0]], dtype=np.float32)
    found = clusters._means(vectors, np.array([0, 0, 1]), centres)
    assert found.dtype == np.float32
    assert found.ravel().tolist() == [1.0, 9.0, 100.0]  # two members, one, and none: that centre stays


def test_starts_are_far_apart() -> None:
    """The second centre is drawn by the squared distance: of points at 0, 0 and 1, the one that is not yet chosen."""
    vectors = np.array([[0.0], [0.0], [1.0]], dtype=np.float32)
    for seed in range(20):
        assert sorted(clusters._plus_plus(vectors, 2, np.random.default_rng(seed)).ravel()) == [0.0, 1.0]
    spread = np.array([[0.0], [1.0], [10.0]], dtype=np.float32)
    drawn = [clusters._plus_plus(spread, 2, np.random.default_rng(seed)).ravel().tolist() for seed in range(600)]
    after_zero = [second for first, second in drawn if first == 0.0]
    assert np.mean(np.array(after_zero) == 10.0) == pytest.approx(100 / 101, abs=0.03)
    after_one = [second for first, second in drawn if first == 1.0]
    assert np.mean(np.array(after_one) == 10.0) == pytest.approx(81 / 82, abs=0.03)
    after_ten = [second for first, second in drawn if first == 10.0]
    assert np.mean(np.array(after_ten) == 0.0) == pytest.approx(100 / 181, abs=0.12)
    third = [clusters._plus_plus(spread, 3, np.random.default_rng(seed)) for seed in range(20)]
    assert all(sorted(one.ravel()) == [0.0, 1.0, 10.0] for one in third)


def test_the_steps_go_on_until_hardly_a_vector_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """From a bad start (both centres in one group), a single step would leave the groups mixed."""
    vectors = np.array([[0.0], [1.0], [2.0], [3.0], [100.0], [101.0]], dtype=np.float32)
    bad = (vectors - vectors.mean(axis=0))[:2]
    monkeypatch.setattr(clusters, "_start", lambda *given: bad)
    labels = cluster(vectors, 2, np.random.default_rng(0))
    assert labels.tolist() == [0, 0, 0, 0, 1, 1]
    monkeypatch.setattr(clusters, "_SETTLED", 1.0)  # settled at once: the first assignment stands
    assert cluster(vectors, 2, np.random.default_rng(0)).tolist() == [0, 1, 1, 1, 1, 1]
    monkeypatch.setattr(clusters, "_SETTLED", 0.0)
    counted: list[int] = []
    nearest = clusters._nearest
    monkeypatch.setattr(clusters, "_nearest", lambda *given: (counted.append(1), nearest(*given))[1])
    cluster(vectors, 2, np.random.default_rng(0))
    assert 2 < len(counted) < 10  # it ends when nothing moves, long before the last step
