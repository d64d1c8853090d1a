"""Plans: what the flags say, and what they must not."""

from __future__ import annotations

import pytest

from farthing.bench.estimate import Scenario
from farthing.bench.plan import BenchPlan, read_scenario, whole_numbers
from farthing.core.errors import FarthingError


def test_numbers_with_commas() -> None:
    assert whole_numbers("--systems", " 5, 1,5") == (5, 1)
    assert whole_numbers("--systems", "") == ()
    for wrong in ("0", "1,a", "-1", "1.5"):
        with pytest.raises(FarthingError, match="whole numbers"):
            whole_numbers("--systems", wrong)


def test_scenarios() -> None:
    assert read_scenario("10x2x3") == Scenario(10, 2, 3)
    for wrong in ("10x2", "10x0x3", "axbxc", ""):
        with pytest.raises(FarthingError, match="SEGMENTSxPAIRSxSYSTEMS"):
            read_scenario(wrong)


def test_the_power_of_a_device() -> None:
    assert [BenchPlan().power(on_gpu=gpu).watts for gpu in (False, True)] == [15, 300]
    assert BenchPlan(watts=65).power(on_gpu=True).watts == 65


def test_an_unknown_statistic() -> None:
    with pytest.raises(FarthingError, match="did you mean 'pearson'"):
        BenchPlan(statistic="person")
