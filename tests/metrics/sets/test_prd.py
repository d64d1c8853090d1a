"""PRD against its published algorithm, with scikit-learn's clusters, and closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.cluster import MiniBatchKMeans

from farthing.core.errors import SpecError
from farthing.core.types import Sets
from farthing.metrics.sets.prd import Prd, f_score, prd_curve


def published(generated: np.ndarray, corpus: np.ndarray) -> tuple[float, float]:
    """Ten mini-batch clusterings into twenty, curves averaged, the best F at 1/8 and at 8."""
    curves = []
    for run in range(10):
        both = np.concatenate([generated, corpus])
        labels = MiniBatchKMeans(20, n_init=10, random_state=run).fit(both).labels_
        bins = np.arange(21)
        shares = [np.histogram(part, bins)[0] / len(part) for part in np.split(labels, [len(generated)])]
        slopes = np.tan(np.linspace(1e-10, np.pi / 2 - 1e-10, 1001))
        precision = np.array([np.minimum(shares[0], slope * shares[1]).sum() for slope in slopes])
        curves.append((precision, precision / slopes))
    precision, recall = np.clip(np.mean(curves, axis=0), 0, 1)

    def best(beta: float) -> float:
        return float(((1 + beta**2) * precision * recall / (beta**2 * precision + recall + 1e-10)).max())

    return best(1 / 8), best(8)


def test_is_near_the_published_algorithm() -> None:
    random = np.random.default_rng(0)
    centres = random.standard_normal((30, 10)) * 4
    corpus = centres[random.integers(0, 30, 900)] + random.standard_normal((900, 10))
    generated = centres[random.integers(0, 15, 700)] + random.standard_normal((700, 10))
    parts = Prd().score_sets(Sets(generated, corpus)).parts
    precision, recall = published(generated, corpus)
    # The clusterings are random; ten of them agree to a few hundredths.
    assert parts["precision"] == pytest.approx(precision, abs=0.05)
    assert parts["recall"] == pytest.approx(recall, abs=0.05)
    assert parts["precision"] > parts["recall"] + 0.2


def test_curve_closed_forms() -> None:
    same, apart = np.array([0.3, 0.7, 0.0]), np.array([0.0, 0.0, 1.0])
    precision, recall = prd_curve(same, same)
    assert float(f_score(precision, recall, 8)) == pytest.approx(1, abs=1e-3)
    precision, recall = prd_curve(same, apart)
    assert precision.max() == 0


def test_the_seed_makes_it_reproducible() -> None:
    generated, corpus = np.random.default_rng(1).standard_normal((2, 120, 5))
    first, second, other = (Prd(seed=seed, runs=2).score_sets(Sets(generated, corpus)).corpus for seed in (3, 3, 4))
    assert first == second != other


def test_few_distinct_vectors() -> None:
    parts = Prd().score_sets(Sets(np.zeros((5, 2)), np.zeros((9, 2)))).parts
    assert parts["precision"] == pytest.approx(1, abs=1e-3)


def test_wrong_options() -> None:
    with pytest.raises(SpecError, match="clusters=1"):
        Prd(clusters=1)
    with pytest.raises(SpecError, match="runs=0"):
        Prd(runs=0)
