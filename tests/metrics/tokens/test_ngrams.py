"""N-grams against loops."""

from __future__ import annotations

import numpy as np
import pytest

from farthing.metrics.tokens.ngrams import ngrams


@pytest.mark.parametrize("size", [1, 2, 3, 9])
def test_windows_are_weighted_means(size: int) -> None:
    generator = np.random.default_rng(size)
    vectors, weights = generator.normal(size=(6, 4)), generator.random(6)
    found, sums = ngrams(vectors, weights, size)
    width = min(size, 6)
    assert len(found) == 6 - width + 1
    for start in range(len(found)):
        part = slice(start, start + width)
        assert np.allclose(found[start], np.average(vectors[part], axis=0, weights=weights[part]))
        assert sums[start] == pytest.approx(weights[part].sum())


def test_windows_without_weight_and_short_texts() -> None:
    vectors = np.array([[1.0], [3.0], [5.0]])
    found, sums = ngrams(vectors, np.array([0.0, 0.0, 1.0]), 2)
    assert found.ravel().tolist() == [2.0, 5.0]
    assert sums.tolist() == [0.0, 1.0]
    assert ngrams(np.zeros((0, 3)), np.zeros(0), 2)[0].shape == (0, 3)
    assert ngrams(vectors[:1], np.ones(1), 2)[0].tolist() == [[1.0]]
