"""Greedy matching against plain loops, and an F1 that stays in range."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from farthing.align.greedy import f1, greedy

NUMBER = st.floats(-1, 1)


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 1000))
def test_loops(rows: int, columns: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    left, right = (rng.normal(size=(size, 4)) for size in (rows, columns))
    a, b = (rng.uniform(0.1, 1, size) for size in (rows, columns))
    precision, recall = greedy(left, right, a, b)
    similarity = [[sum(x * y for x, y in zip(one, two, strict=True)) for two in right] for one in left]
    assert precision == pytest.approx(sum(w * max(row) for w, row in zip(a, similarity, strict=True)) / sum(a))
    columnwise = zip(*similarity, strict=True)
    assert recall == pytest.approx(sum(w * max(column) for w, column in zip(b, columnwise, strict=True)) / sum(b))


@given(NUMBER, NUMBER)
def test_f1_never_leaves_the_range_of_its_arguments(precision: float, recall: float) -> None:
    found = f1(precision, recall)
    assert min(precision, recall) - 1e-12 <= found <= max(precision, recall) + 1e-12
    if precision > 0 and recall > 0:
        assert found == pytest.approx(2 * precision * recall / (precision + recall))
