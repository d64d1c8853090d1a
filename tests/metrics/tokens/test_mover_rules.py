"""Distances of clouds and what the variants make of them, by hand and by their laws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from farthing.align.transport import distances
from farthing.metrics.tokens.clouds import Cloud, units
from farthing.metrics.tokens.mover_rules import MoverRules, cloud_distance, published_distance

EMPTY = Cloud(np.zeros((0, 4)), np.zeros(0))


def cloud(seed: int, size: int = 5) -> Cloud:
    return Cloud(units(np.random.default_rng(seed).normal(size=(size, 4))), np.ones(size))


@pytest.mark.parametrize("squared", [False, True])
def test_equal_weights_are_an_assignment(squared: bool) -> None:
    left, right = cloud(0), cloud(1)
    cost = distances(left.points, right.points, squared=squared)
    best = cost[linear_sum_assignment(cost)].mean()
    assert cloud_distance(left, right, "wmd", squared=squared) == pytest.approx(best, abs=1e-12)
    for bound in ("rwmd", "wcd"):
        assert cloud_distance(left, right, bound, squared=squared) <= best + 1e-12  # type: ignore[arg-type]


@pytest.mark.parametrize("distance", ["wmd", "rwmd", "wcd"])
def test_texts_without_tokens(distance: Any) -> None:
    assert cloud_distance(EMPTY, EMPTY, distance) == 0
    assert cloud_distance(EMPTY, cloud(0), distance) == pytest.approx(2**0.5)
    assert cloud_distance(cloud(0), EMPTY, distance, squared=True) == 2


@pytest.mark.parametrize(
    ("variant", "distance", "published", "expected"),
    [
        ("v1", "wmd", False, 0.5),
        ("v2", "wmd", False, 1 / 1.5),
        ("effeval", "rwmd", False, 0.5),
        ("effeval", "rwmd", True, -0.5),
        ("effeval", "wmd", True, 0.5),
    ],
)
def test_scores_of_a_distance(variant: Any, distance: Any, published: bool, expected: float) -> None:
    assert MoverRules(variant, distance, published=published).score(0.5) == pytest.approx(expected)


def test_only_v1_squares_and_only_the_published_code_moves_nothing_without_weights() -> None:
    left, right = cloud(0, 1), cloud(1, 1)
    plain = float(np.linalg.norm(left.points - right.points))
    assert MoverRules("v1", "wmd").between(left, right) == pytest.approx(plain**2)
    assert MoverRules("v2", "wmd").between(left, right) == pytest.approx(plain)
    flat = Cloud(left.points, left.weights, frozenset(["idf"]))
    assert MoverRules("v2", "wmd").between(flat, right) == pytest.approx(plain)
    assert MoverRules("v2", "wmd", published=True).between(flat, right) == 0
    assert MoverRules("v2", "wmd", published=True).between(flat, EMPTY) == pytest.approx(2**0.5)


def test_published_bounds_grow_with_the_length() -> None:
    left, right = cloud(0).points, cloud(1).points
    twice = [np.concatenate([side, side]) for side in (left, right)]
    assert published_distance(*twice, "rwmd") == pytest.approx(2 * published_distance(left, right, "rwmd"))
    assert published_distance(*twice, "wcd") == pytest.approx(published_distance(left, right, "wcd"))
