"""Differences of aligned texts: closed forms, and what must hold for any text."""

import numpy as np
import pytest

from farthing.align.greedy import greedy
from farthing.students.gaps import NAMES, Tokens, gaps


def tokens(seed: int, count: int) -> Tokens:
    random = np.random.default_rng(seed)
    vectors = random.normal(size=(count, 8))
    return Tokens(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), random.random(count) + 0.1)


def test_equal_texts_have_no_gap() -> None:
    one = tokens(1, 7)
    assert gaps(one, one) == pytest.approx([0.0] * len(NAMES), abs=1e-7)


def test_precision_and_recall_are_those_of_greedy_matching() -> None:
    first, second = tokens(1, 5), tokens(2, 8)
    precision, recall = greedy(first.vectors, second.vectors, first.weights, second.weights)
    found = gaps(first, second)
    assert found[:2] == pytest.approx((1 - precision, 1 - recall))
    assert found[2] == pytest.approx(1 - 2 * precision * recall / (precision + recall))


def test_orthogonal_texts_in_closed_form() -> None:
    first, second = Tokens(np.eye(4)[:2], np.ones(2)), Tokens(np.eye(4)[2:], np.ones(2))
    assert gaps(first, second) == pytest.approx((1, 1, 1, 1, 1, 1), abs=1e-3)


def test_turning_the_pair_round_turns_precision_into_recall() -> None:
    first, second = tokens(3, 4), tokens(4, 6)
    forth, back = gaps(first, second), gaps(second, first)
    assert forth[0] == pytest.approx(back[1])
    assert forth[3] == pytest.approx(back[4])
    assert forth[5] == pytest.approx(back[5])
