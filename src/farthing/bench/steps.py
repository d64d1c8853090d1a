"""How long each step of scoring takes: tokenise, encode, align, and all the rest."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from farthing.bench.cost import Spent, cost_of
from farthing.bench.passes import score_pass
from farthing.core.metric import Metric
from farthing.core.progress import Step, timing_steps
from farthing.core.registry import load_pairs_metric, metric_options
from farthing.core.specs import parse_spec
from farthing.core.types import Pairs

REST = "rest"
STEPS: tuple[Step, ...] = ("tokenise", "encode", "align")


class StepClock:
    """Adds up the seconds of each step."""

    def __init__(self) -> None:
        self.seconds: Counter[Step] = Counter()

    @contextmanager
    def __call__(self, step: Step) -> Iterator[None]:
        """Measure one step."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[step] += time.perf_counter() - began  # type: ignore[assignment]  # counts may be fractions


def on_one_core(spec: str) -> Metric:
    """Load a metric that works in one thread, so that its steps come one after the other."""
    parsed = parse_spec(spec)
    if "threads" not in metric_options(parsed.name) or "threads" in parsed.options:
        return load_pairs_metric(parsed)
    return load_pairs_metric(parsed.with_options({"threads": 1}))


def step_costs(metric: Metric, pairs: Pairs) -> dict[str, Spent]:
    """Measure the steps of one pass; a step that the metric does not take is left out."""
    clock = StepClock()
    with timing_steps(clock):
        _, whole = cost_of(lambda: score_pass(metric, [pairs]))
    seconds: dict[str, float] = {step: clock.seconds[step] for step in STEPS if step in clock.seconds}
    seconds[REST] = max(0.0, whole.seconds - sum(seconds.values()))
    return {step: Spent(taken, taken) for step, taken in seconds.items()}
