"""MAUVE against the package of its authors: the same labels give the same number."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import farthing
from farthing.core.errors import SpecError
from farthing.metrics.sets.base import MeasuredSets
from farthing.metrics.sets.mauve import Mauve, mauve_area, reduced

COUNTS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=12)


@pytest.fixture(scope="module")
def peer() -> ModuleType:
    pytest.importorskip("mauve", reason="mauve-text is not installed")
    importlib.import_module("mauve.compute_mauve")
    return sys.modules["mauve.compute_mauve"]


def authors_area(peer: ModuleType, first: np.ndarray, second: np.ndarray, scale: float, points: int) -> float:
    weights = np.linspace(1e-6, 1 - 1e-6, points)
    x, y = peer.get_divergence_curve_for_multinomials(first, second, weights, scale).T
    auc, across, up = peer.compute_area_under_curve, np.argsort(x), np.argsort(y)
    return float(0.5 * (auc(x[across], y[across]) + auc(y[up], x[up])))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(counts=COUNTS, scale=st.sampled_from([1.0, 5.0]), points=st.sampled_from([25, 7]))
def test_the_same_shares_give_the_authors_area(
    peer: ModuleType, counts: list[tuple[int, int]], scale: float, points: int
) -> None:
    first, second = np.array(counts, dtype=float).T
    first[0], second[-1] = first[0] + 1, second[-1] + 1  # no set is empty
    first, second = first / first.sum(), second / second.sum()
    assume(np.abs(first - second).max() > 0.05)  # theirs sorts nearly equal points by chance: 0.75 for equal shares
    expected = authors_area(peer, first, second, scale, points)
    assert mauve_area(first, second, scale, points) == pytest.approx(expected, abs=1e-9)


def sample(shift: float, count: int = 600, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    first, second = random.normal(size=(2, count, 12)) + 1.0
    second[:, 0] += shift
    return first, second


def test_the_same_labels_give_the_authors_scores(peer: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their k-means is replaced by our labels; everything else is theirs."""
    first, second = sample(1.0)
    [labels] = Mauve(seed=3, runs=1)._clusterings(MeasuredSets(first, second))
    joined = np.concatenate([labels[1], labels[0]])  # they put the second set first

    class Given:
        def __init__(self, *_: object, **__: object) -> None:
            self.index = self

        def train(self, data: np.ndarray) -> None:
            assert data.shape == reduced(np.concatenate([second, first]), 0.9).shape

        def search(self, data: np.ndarray, _: int) -> tuple[None, np.ndarray]:
            return None, joined[:, None]

    monkeypatch.setattr(peer.faiss, "Kmeans", Given)
    expected = peer.compute_mauve(p_features=first, q_features=second)
    found = farthing.score(first, second, metric="mauve(seed=3, runs=1)")  # type: ignore[arg-type]
    assert found.corpus == pytest.approx(expected.mauve, abs=1e-12)
    assert found.parts["smoothed"] == pytest.approx(expected.mauve_star, abs=1e-12)
    assert expected.num_buckets == 60


@pytest.mark.parametrize("shift", [0.0, 1.0, 3.0])
def test_clusterings_of_both_agree_on_average(shift: float, peer: ModuleType) -> None:
    first, second = sample(shift)
    theirs = [peer.compute_mauve(p_features=first, q_features=second, seed=seed).mauve for seed in range(5)]
    assert farthing.score(first, second, metric="mauve").corpus == pytest.approx(np.mean(theirs), abs=0.06)  # type: ignore[arg-type]


def test_equal_sets_are_1_and_sets_apart_near_0() -> None:
    first, _ = sample(0.0)
    assert farthing.score(first, first, metric="mauve").corpus == pytest.approx(1.0, abs=1e-9)  # type: ignore[arg-type]
    far = first * np.where(np.arange(12) < 6, -1.0, 1.0)
    assert farthing.score(first, far, metric="mauve").corpus < 0.05  # type: ignore[arg-type]


def test_the_axes_hold_the_variance() -> None:
    from sklearn.decomposition import PCA

    random = np.random.default_rng(0)
    vectors = random.normal(size=(200, 10)) * np.linspace(1, 5, 10)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    found, peer = reduced(vectors, 0.9), PCA().fit_transform(unit)
    assert 1 < found.shape[1] < 10
    assert np.abs(found) == pytest.approx(np.abs(peer[:, : found.shape[1]]), abs=1e-9)


def test_the_interval_holds_the_score_and_few_samples_are_noted() -> None:
    first, second = sample(1.0, count=150)
    metric = Mauve()
    measured = MeasuredSets(first, second)
    draws = metric.resampled(measured, 50, 0)
    verdict = metric.judge(measured)
    assert draws.min() <= verdict.corpus <= draws.max()
    assert [note.kind for note in verdict.notes] == ["few samples"]


@pytest.mark.parametrize("spec", ["mauve(clusters=1)", "mauve(variance=0)", "mauve(scale=0)", "mauve(points=0)"])
def test_wrong_options_are_one_sentence(spec: str) -> None:
    with pytest.raises(SpecError, match="must be"):
        farthing.load(spec)
