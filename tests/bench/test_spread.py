"""Spreads: medians by numpy."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from farthing.bench.spread import Spread


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=9))
def test_the_median_and_the_ends(values: list[float]) -> None:
    spread = Spread.of(values)
    assert spread.median == np.median(values)
    assert (spread.low, spread.high, spread.values) == (min(values), max(values), tuple(values))
