"""FID against the textbook formula with scipy's square root, and shrinkage against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import sqrtm
from sklearn.covariance import ledoit_wolf as peer_ledoit_wolf

from farthing.core.types import Sets
from farthing.metrics.sets.frechet import Fid, Normal, ledoit_wolf


def textbook(generated: np.ndarray, corpus: np.ndarray) -> float:
    one, two = np.cov(corpus, rowvar=False), np.cov(generated, rowvar=False)
    apart = np.square(corpus.mean(axis=0) - generated.mean(axis=0)).sum()
    return float(apart + np.trace(one + two - 2 * np.real(sqrtm(one @ two))))


@pytest.mark.parametrize("dimensions", [2, 17, 64])
def test_equals_the_textbook(dimensions: int) -> None:
    random = np.random.default_rng(dimensions)
    mix = random.standard_normal((dimensions, dimensions))
    generated, corpus = random.standard_normal((300, dimensions)) @ mix, random.standard_normal((400, dimensions))
    result = Fid(shrink=False).score_sets(Sets(generated, corpus))
    assert result.corpus == pytest.approx(textbook(generated, corpus), rel=1e-6)
    assert not result.notes


def test_identical_sets_have_no_distance() -> None:
    vectors = np.random.default_rng(0).standard_normal((200, 30))
    assert Fid().score_sets(Sets(vectors, vectors)).corpus == pytest.approx(0, abs=1e-9)


def test_fewer_samples_than_dimensions_are_shrunk_with_a_note() -> None:
    random = np.random.default_rng(1)
    generated, corpus = random.standard_normal((40, 60)), random.standard_normal((90, 60))
    result = Fid().score_sets(Sets(generated, corpus))
    assert [note.kind for note in result.notes] == ["shrunk"]
    centred = generated - generated.mean(axis=0)
    assert ledoit_wolf(centred, np.ones(40)) == pytest.approx(peer_ledoit_wolf(generated)[1], rel=1e-9)
    unshrunk = Fid(shrink=False).score_sets(Sets(generated, corpus))
    assert [note.kind for note in unshrunk.notes] == ["singular"]
    assert result.corpus < unshrunk.corpus  # the textbook's is too large by far where samples are few


def test_the_distance_does_not_jump_where_samples_outnumber_dimensions() -> None:
    random = np.random.default_rng(5)
    generated, corpus = random.standard_normal((70, 64)) @ np.diag(np.linspace(0.2, 3, 64)), random.random((70, 64))
    few, many = (Fid().score_sets(Sets(generated[:size], corpus[:size])).corpus for size in (64, 65))
    assert few == pytest.approx(many, rel=0.05)


def test_with_many_samples_shrinking_does_not_matter() -> None:
    random = np.random.default_rng(6)
    mix = random.standard_normal((8, 8))
    generated, corpus = random.standard_normal((20_000, 8)) @ mix, random.standard_normal((20_000, 8))
    shrunk, plain = (Fid(shrink=shrink).score_sets(Sets(generated, corpus)).corpus for shrink in (True, False))
    assert shrunk == pytest.approx(plain, rel=0.01)


def test_weights_are_repetitions() -> None:
    random = np.random.default_rng(2)
    vectors, counts = random.standard_normal((50, 3)), random.integers(0, 4, 50)
    weighted, repeated = Normal.of(vectors, counts.astype(float)), Normal.of(np.repeat(vectors, counts, axis=0))
    np.testing.assert_allclose(weighted.mean, repeated.mean)
    np.testing.assert_allclose(weighted.covariance, repeated.covariance)
