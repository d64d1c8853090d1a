"""Pairs with targets."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from farthing.learn.data.examples import Examples
from farthing.learn.data.humans import Judged


def judged(count: int) -> Judged:
    scores = np.array([float(n * (1 + n % 2)) for n in range(count)])
    groups = [f"l{n % 2}-en" for n in range(count)]
    return Judged("x", [f"c{n}" for n in range(count)], [[f"r{n}", "other"] for n in range(count)], scores, groups)


def test_human_scores_are_standardised_by_group() -> None:
    examples = Examples.judged(judged(20), weight=0.5)
    assert len(examples) == 20
    assert examples.references == [f"r{n}" for n in range(20)]
    assert examples.weights.tolist() == [0.5] * 20
    for group in (examples.targets[::2], examples.targets[1::2]):
        assert (group.mean(), group.std()) == pytest.approx((0, 1))


def test_a_draw_keeps_the_order_and_is_standardised_itself() -> None:
    examples = Examples.judged(judged(50), count=10, seed=3)
    numbers = [int(text[1:]) for text in examples.candidates]
    assert numbers == sorted(set(numbers))
    assert len(numbers) == 10
    even = examples.targets[[place for place, number in enumerate(numbers) if number % 2 == 0]]
    assert (even.mean(), even.std()) == pytest.approx((0, 1))
    assert Examples.judged(judged(50), count=10, seed=3).candidates == examples.candidates
    assert len(Examples.judged(judged(5), count=10)) == 5


def test_sets_are_joined_in_their_order() -> None:
    one, two = Examples.judged(judged(3)), Examples.judged(judged(2), weight=2.0)
    both = Examples.joined([one, two])
    assert both.candidates == ["c0", "c1", "c2", "c0", "c1"]
    assert both.weights.tolist() == [1, 1, 1, 2, 2]
    assert both.targets.tolist() == [*one.targets, *two.targets]


def test_whole_segments_are_drawn_and_scores_are_clipped() -> None:
    data = replace(judged(40), segments=[f"s{n // 4}" for n in range(40)])
    examples = Examples.judged(data, count=3, within=True, clip=0.5, seed=2)
    assert examples.segments is not None
    assert sorted(Counter(examples.segments).values()) == [4, 4, 4]
    assert np.abs(examples.targets).max() == 0.5
    assert Examples.judged(data).segments is None
