"""Matching of whole lists against matching pair by pair."""

from __future__ import annotations

import numpy as np
import pytest

from farthing.align import crossed
from farthing.align.crossed import Bundle, crossed_means
from farthing.align.greedy import greedy

Texts = list[tuple[np.ndarray, np.ndarray]]


def texts(seed: int, sizes: list[int]) -> Texts:
    random = np.random.default_rng(seed)
    vectors = [random.normal(size=(size, 5)) for size in sizes]
    return [(one / np.linalg.norm(one, axis=1, keepdims=True), random.random(len(one)) + 0.1) for one in vectors]


def bundle(some: Texts) -> Bundle:
    return Bundle.of([vectors for vectors, _ in some], [weights for _, weights in some], np.float64)


@pytest.mark.parametrize("tokens", [1, 7, 256])
def test_means_are_those_of_greedy_matching(monkeypatch: pytest.MonkeyPatch, tokens: int) -> None:
    monkeypatch.setattr(crossed, "TOKENS", tokens)
    first, second = texts(1, [3, 1, 6, 2]), texts(2, [4, 1, 5])
    [(precision, recall)] = crossed_means(bundle(first), bundle(second), lambda near: near)
    for i, (left, own) in enumerate(first):
        for j, (right, other) in enumerate(second):
            assert (precision[i, j], recall[i, j]) == pytest.approx(greedy(left, right, own, other))


@pytest.mark.parametrize("tokens", [1, 7, 256])
def test_a_list_with_itself_needs_half_of_the_products(monkeypatch: pytest.MonkeyPatch, tokens: int) -> None:
    monkeypatch.setattr(crossed, "TOKENS", tokens)
    some = texts(3, [3, 1, 6, 2, 9])
    one, other = bundle(some), bundle(some)
    measures = (lambda near: near, np.square)
    assert crossed_means(one, one, *measures) == pytest.approx(crossed_means(one, other, *measures))


def test_mean_vectors_have_length_1() -> None:
    some = texts(4, [3, 2])
    found = bundle(some).pooled()
    for row, (vectors, weights) in zip(found, some, strict=True):
        mean = weights @ vectors
        assert row == pytest.approx(mean / np.linalg.norm(mean))
