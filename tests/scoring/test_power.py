"""Power against simulation: with the number of segments that is named, four tests of five find the difference."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from farthing.core.types import MetricInfo
from farthing.scoring.power import Power, one_point, power
from farthing.scoring.resampling import Resampled, pair_significance

Rows = Callable[[np.ndarray], Resampled]


def test_the_deviation_of_a_mean_is_known(rows: Rows) -> None:
    random = np.random.default_rng(0)
    first, second = random.normal(size=500), random.normal(size=500)
    found = power(rows(first), rows(second))
    assert found.deviation == pytest.approx((second - first).std(ddof=1) / np.sqrt(500), rel=0.08)
    assert found.size == 500


def test_the_needed_segments_find_four_of_five(rows: Rows) -> None:
    """Draw test sets of the named size from systems that truly differ by 0.4, and count significant tests."""
    random = np.random.default_rng(1)
    pilot = random.normal(size=(2, 2000)) + np.array([[0.0], [0.4]])
    needed = power(*map(rows, pilot)).needed(0.4)
    assert needed == pytest.approx(98, abs=12)  # 2.8016² · 2 / 0.4², by the textbook
    found = 0
    for trial in range(300):
        first, second = random.normal(size=(2, needed)) + np.array([[0.0], [0.4]])
        found += pair_significance(rows(first), rows(second), "randomization", 400, seed=trial).p_value < 0.05
    assert found / 300 == pytest.approx(0.8, abs=0.07)


def test_smallest_and_needed_are_inverse() -> None:
    found = Power(deviation=0.7, size=1000)
    assert found.needed(found.smallest) == pytest.approx(1000, abs=1)
    assert found.needed(found.smallest / 2) == pytest.approx(4000, abs=2)


def test_a_point_depends_on_the_scale() -> None:
    assert one_point(MetricInfo("x", "", "", (0, 100))) == 1
    assert one_point(MetricInfo("x", "", "", (0, None))) == 1
    assert one_point(MetricInfo("x", "", "", (-1, 1))) == 0.01
