"""The fresh process in which a metric is measured: `python -m farthing.bench.worker REQUEST ANSWER`.

It loads the metric, scores the first segment, all segments, and all again. Peak memory and CPU time are taken after the
first pass, so they are those of a program that loads the metric, scores the texts once and ends. Batch sizes, steps and
tricks come after that.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

from farthing.bench.cost import Spent, cost_of
from farthing.bench.exchange import Measured, PassCost, Request, read_texts
from farthing.bench.memory import device_peak_bytes, peak_bytes
from farthing.bench.passes import score_pass, some_pairs, spread_rows
from farthing.bench.process import worker_main
from farthing.core.errors import UsageError
from farthing.core.metric import Metric
from farthing.core.registry import load_pairs_metric
from farthing.core.types import Pairs


def measure_metric(request: Request) -> Measured:
    """Measure one metric."""
    pairs = read_texts(Path(request.texts))
    metric, load = cost_of(lambda: _ready(request.spec, pairs))
    [scores], cold = cost_of(lambda: score_pass(metric, [pairs]))
    cpu, memory, device = time.process_time(), _peak(load, cold), device_peak_bytes()
    _, warm = cost_of(lambda: score_pass(metric, [pairs]))
    if scores.segments is None:
        raise UsageError(f"{scores.metric} gives no score per pair")
    part = some_pairs(pairs, spread_rows(len(pairs), request.part))
    return Measured(
        load,
        cold,
        warm,
        cpu,
        memory,
        device,
        tuple(map(float, scores.segments)),
        metric.info.higher_is_better,
        {name: str(value) for name, value in scores.signature.fields.items()},
        tuple(_batches(metric, part, request)),
        tuple(_steps(part, request)),
        tuple(_tricks(metric, part, request)),
        tuple(map(str, scores.notes)),
    )


def _ready(spec: str, pairs: Pairs) -> Metric:
    """Load a metric and let it score one segment: some open their model only then."""
    metric = load_pairs_metric(spec)
    score_pass(metric, [pairs.part(0, 1)])
    return metric


def _peak(*costs: Spent) -> int:
    """Return the highest peak of what was done so far; if the system cannot tell them apart, the last one is it."""
    return max((cost.memory for cost in costs if cost.memory is not None), default=peak_bytes())


def _batches(metric: Metric, part: Pairs, request: Request) -> Iterator[PassCost]:
    for size in request.batches:
        _, cost = cost_of(lambda size=size: score_pass(metric, [part], size))  # type: ignore[misc]
        yield PassCost(str(size), len(part), cost)


def _steps(part: Pairs, request: Request) -> Iterator[PassCost]:
    if request.steps:
        from farthing.bench.steps import on_one_core, step_costs

        metric = on_one_core(request.spec)
        score_pass(metric, [part])
        yield from (PassCost(step, len(part), cost) for step, cost in step_costs(metric, part).items())


def _tricks(metric: Metric, part: Pairs, request: Request) -> Iterator[PassCost]:
    from farthing.bench.tricks import engine_tricks, system_trick

    scratch = Path(request.scratch)
    tricks = [*engine_tricks(metric, part, scratch)] if request.tricks else []
    for trick in [*tricks, *(system_trick(metric, part, count) for count in request.systems)]:
        _, cost = cost_of(trick.run)
        yield PassCost(trick.name, trick.outputs, cost)


if __name__ == "__main__":
    sys.exit(worker_main(measure_metric, Request, sys.argv[1:]))
