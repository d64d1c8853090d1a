"""Steps: which ones a metric takes, and that they are no more than the whole."""

from __future__ import annotations

import pytest

from farthing.bench.steps import StepClock, on_one_core, step_costs
from farthing.core.progress import step, timing_steps
from farthing.core.registry import load_pairs_metric
from farthing.core.types import Pairs


@pytest.mark.parametrize(
    ("spec", "steps"),
    [
        ("chrf", ["rest"]),
        ("frugalscore(size=nano)", ["tokenise", "encode", "align", "rest"]),
        ("bertscore(model=nano)", ["tokenise", "encode", "align", "rest"]),
        ("moverscore(model=nano)", ["tokenise", "encode", "align", "rest"]),
    ],
)
def test_the_steps_of_a_metric(spec: str, steps: list[str], pairs: Pairs) -> None:
    found = step_costs(load_pairs_metric(spec), pairs)
    assert list(found) == steps
    assert all(cost.seconds >= 0 for cost in found.values())


def test_a_clock_adds_up_what_is_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter([0.0, 1.0, 10.0, 13.0, 20.0, 20.5])
    monkeypatch.setattr("farthing.bench.steps.time.perf_counter", lambda: next(ticks))
    clock = StepClock()
    with timing_steps(clock):
        for name in ("encode", "encode", "align"):
            with step(name):
                pass
    assert clock.seconds == {"encode": 4.0, "align": 0.5}


def test_one_core_unless_the_spec_says_otherwise() -> None:
    assert on_one_core("bertscore(model=nano)").engine.threads == 1  # type: ignore[attr-defined]
    assert on_one_core("bertscore(model=nano, threads=2)").engine.threads == 2  # type: ignore[attr-defined]
    assert on_one_core("chrf").info.name == "chrf"
