"""IMPAR against a brute force and the package prdc."""

from __future__ import annotations

import numpy as np
import pytest
from prdc import compute_prdc

from farthing.core.errors import SpecError
from farthing.core.types import Sets
from farthing.metrics.sets.impar import Impar


def brute(generated: np.ndarray, corpus: np.ndarray, k: int) -> tuple[float, float]:
    def covered(points: np.ndarray, centres: np.ndarray) -> float:
        hits = []
        radii = [np.sort(np.linalg.norm(centres - centre, axis=1))[k] for centre in centres]
        for point in points:
            distances = np.linalg.norm(centres - point, axis=1)
            hits.append(bool((distances <= radii).any()))
        return float(np.mean(hits))

    return covered(generated, corpus), covered(corpus, generated)


@pytest.mark.parametrize("k", [1, 3, 5])
def test_equals_brute_force_and_prdc(k: int, capsys: pytest.CaptureFixture[str]) -> None:
    random = np.random.default_rng(k)
    generated, corpus = random.standard_normal((150, 12)) * 0.9 + 0.3, random.standard_normal((200, 12))
    parts = Impar(k=k).score_sets(Sets(generated, corpus)).parts
    found = (parts["precision"], parts["recall"])
    peer = compute_prdc(real_features=corpus, fake_features=generated, nearest_k=k)
    assert found == pytest.approx(brute(generated, corpus, k), abs=1e-12)
    assert found == pytest.approx((peer["precision"], peer["recall"]), abs=1e-12)


def test_duplicates_lie_on_the_border_of_their_own_spheres() -> None:
    corpus = np.repeat(np.random.default_rng(0).standard_normal((10, 4)), 5, axis=0).astype(np.float32)
    parts = Impar(k=3).score_sets(Sets(corpus[:20], corpus)).parts
    assert parts == {"precision": 1.0, "recall": 0.4}


def test_wrong_k() -> None:
    with pytest.raises(SpecError, match="k=0"):
        Impar(k=0)
