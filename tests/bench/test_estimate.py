"""Extrapolation, against the numbers that EffEval prints (sections 1 and 6)."""

from __future__ import annotations

import pytest

from farthing.bench.estimate import ASSUMPTIONS, GPU_WATTS, PowerDraw, Scenario, estimated


def test_the_hours_and_the_carbon_of_the_paper() -> None:
    large = estimated(0.034, 0, Scenario(), PowerDraw(GPU_WATTS))
    small = estimated(0.015, 0, Scenario(), PowerDraw(GPU_WATTS))
    assert round(large.hours) == 71
    assert round(large.co2) == 8
    assert round(small.hours) == 31
    assert round(small.co2, 2) == 3.62


def test_a_processor_draws_less() -> None:
    hours = 45
    found = estimated(hours * 3600 / Scenario().outputs, 0, Scenario(), PowerDraw())
    assert found.hours == pytest.approx(hours)
    assert round(found.co2, 2) == 0.26


def test_loading_counts_once() -> None:
    found = estimated(0.5, 7200, Scenario(10, 2, 3), PowerDraw(1000, 2))
    assert found.hours == pytest.approx(2 + 30 / 3600)
    assert (found.kwh, found.co2) == (pytest.approx(found.hours), pytest.approx(2 * found.hours))


def test_it_is_labelled() -> None:
    assert "not a measurement" in ASSUMPTIONS
