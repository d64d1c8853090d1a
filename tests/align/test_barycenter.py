"""Barycentres: closed forms in one dimension, POT's solver, and that the work never grows."""

from __future__ import annotations

import numpy as np
import pytest

from farthing.align.barycenter import barycenter
from farthing.align.transport import distances, transport


def work(points: np.ndarray, layers: np.ndarray, weights: np.ndarray) -> float:
    return sum(transport(weights, weights, distances(points, layer, squared=True)).cost for layer in layers)


def test_in_one_dimension_it_is_the_mean_of_the_sorted_clouds() -> None:
    generator = np.random.default_rng(0)
    layers = generator.normal(size=(4, 15, 1))
    expected = np.sort(layers[..., 0], axis=1).mean(axis=0)
    found = barycenter(list(layers), np.ones(15), start=np.sort(layers[0], axis=0), tolerance=1e-20)
    assert np.allclose(np.sort(found[:, 0]), expected)


def test_equal_clouds_are_their_own_barycentre() -> None:
    cloud = np.random.default_rng(1).normal(size=(12, 6))
    assert np.allclose(barycenter([cloud] * 5, np.random.default_rng(2).random(12)), cloud, atol=1e-15)


@pytest.mark.parametrize("seed", range(5))
def test_as_good_as_pot_from_the_same_start(seed: int) -> None:
    import ot

    generator = np.random.default_rng(seed)
    layers, weights = generator.normal(size=(5, 10, 4)), generator.random(10)
    weights /= weights.sum()
    start = layers.mean(axis=0)
    theirs = ot.lp.free_support_barycenter(list(layers), [weights] * 5, start, b=weights, numItermax=100, stopThr=1e-12)
    ours = barycenter(list(layers), weights, tolerance=1e-12)
    assert np.allclose(ours, theirs, atol=1e-6)
    assert work(ours, layers, weights) <= work(start, layers, weights) + 1e-12


def test_points_without_weight_stay() -> None:
    layers = np.random.default_rng(3).normal(size=(3, 6, 2))
    weights = np.array([1, 0, 2, 1, 0, 1.0])
    found = barycenter(list(layers), weights)
    assert np.allclose(found[1], layers.mean(axis=0)[1])
    assert np.isfinite(found).all()
