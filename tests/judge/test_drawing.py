"""Draws with known probabilities, counted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farthing.judge.drawing import drawing_probabilities, drawn_rows, graded_weights


@settings(max_examples=50)
@given(st.lists(st.floats(0.01, 100), min_size=1, max_size=60), st.integers(1, 80))
def test_probabilities_add_up_and_stay_in_their_bounds(weights: list[float], count: int) -> None:
    chances = drawing_probabilities(np.array(weights), count)
    assert chances.sum() == pytest.approx(min(count, len(weights)))
    assert chances.max() <= 1 + 1e-9
    assert chances.min() >= min(0.01, count / len(weights)) - 1e-9


def test_rows_are_drawn_as_often_as_their_probabilities_say() -> None:
    random = np.random.default_rng(0)
    chances = drawing_probabilities(random.uniform(0.2, 3, 40), 7)
    order, counts = random.normal(size=40), np.zeros(40)
    for _ in range(4_000):
        rows = drawn_rows(chances, order, random)
        assert len(rows) == len({*rows.tolist()}) == 7
        counts[rows] += 1
    assert counts / 4_000 == pytest.approx(chances, abs=0.03)


def test_lower_scores_have_larger_weights() -> None:
    weights = graded_weights(np.arange(100.0))
    assert np.all(np.diff(weights) < 0)
    assert weights[0] / weights[-1] == pytest.approx(np.sqrt(1.1 / 0.11), rel=1e-6)
