"""The cost of some work."""

from __future__ import annotations

import pytest

from farthing.bench.cost import cost_of
from farthing.bench.memory import forget_peak, resident_bytes


def test_the_result_and_a_peak_of_its_own() -> None:
    if not forget_peak():
        pytest.skip("this system cannot forget a peak")
    size = 150 << 20
    _, heavy = cost_of(lambda: len(bytearray(size)))
    result, light = cost_of(lambda: "done")
    assert result == "done"
    assert heavy.memory is not None
    assert light.memory is not None
    assert heavy.memory >= (resident_bytes() or 0) + 0.9 * size
    assert light.memory < heavy.memory - 0.5 * size  # the peak before does not count
    assert heavy.seconds > 0
    assert heavy.cpu >= 0
