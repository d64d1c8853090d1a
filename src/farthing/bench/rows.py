"""The results of a bench: one row per metric or command and data set, made from all repeats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from farthing.bench.contenders import Contender
from farthing.bench.estimate import ScenarioEstimate, estimated
from farthing.bench.exchange import Measured, PassCost
from farthing.bench.peers import PeerRun
from farthing.bench.plan import BenchPlan
from farthing.bench.quality import MetricQuality, metric_quality
from farthing.bench.size import ModelSize, model_size
from farthing.bench.spread import Spread


@dataclass(frozen=True, slots=True)
class PassRow:
    """One kind of pass over a part of the segments: a batch size, a step or a trick.

    :param seconds: per output
    :param memory: bytes of the process at their peak
    :param estimate: what the scenario would take in this way; None for a step, which is no way to score
    """

    name: str
    outputs: int
    seconds: Spread
    memory: Spread | None
    estimate: ScenarioEstimate | None


@dataclass(frozen=True, slots=True)
class BenchRow:
    """What one metric or command costs on one data set, and what it is worth.

    :param spec: the spec, or the command line
    :param agreement: None if quality was not measured
    :param load: seconds until the first segment has its score
    :param cold: seconds per segment of the first pass in a fresh process, without loading
    :param warm: seconds per segment of the next pass; None for a command, which ends after one
    :param warm_cpu: seconds of all cores per segment of that pass, which a busy machine changes little
    :param cpu: seconds of all cores of a process that loads the metric and scores all segments once
    :param memory: bytes of that process at their peak
    :param device_memory: the same on a GPU
    """

    label: str
    kind: Literal["metric", "command"]
    spec: str
    data: str
    segments: int
    agreement: MetricQuality | None
    load: Spread
    cold: Spread
    warm: Spread | None
    warm_cpu: Spread | None
    cpu: Spread
    memory: Spread
    device_memory: Spread | None
    size: ModelSize
    batches: tuple[PassRow, ...]
    steps: tuple[PassRow, ...]
    tricks: tuple[PassRow, ...]
    estimate: ScenarioEstimate
    watts: float
    notes: tuple[str, ...] = ()

    @property
    def seconds(self) -> float:
        """Seconds per segment: warm, or cold for a command."""
        return (self.warm or self.cold).median

    @property
    def quality(self) -> float | None:
        """The agreement with people, if there is one."""
        return None if self.agreement is None else self.agreement.value


def metric_row(one: Contender, runs: Sequence[Measured], plan: BenchPlan) -> BenchRow:
    """Sum up the repeats of a metric."""
    count, first = len(one.data), runs[0]
    found = None
    if one.data.human is not None:
        found = metric_quality(one.data, first.scores, plan.statistic, higher_is_better=first.higher_is_better)
    devices = [run.device_memory for run in runs if run.device_memory is not None]
    power = plan.power(on_gpu=bool(devices))
    load, warm = Spread.of(run.load.seconds for run in runs), _spread(runs, lambda run: run.warm.seconds / count)

    def estimate(seconds: float) -> ScenarioEstimate:
        return estimated(seconds, load.median, plan.scenario, power)

    return BenchRow(
        label=one.label,
        kind="metric",
        spec=str(one.what),
        data=one.data.name,
        segments=count,
        agreement=found,
        load=load,
        cold=_spread(runs, lambda run: run.cold.seconds / count),
        warm=warm,
        warm_cpu=_spread(runs, lambda run: run.warm.cpu / count),
        cpu=_spread(runs, lambda run: run.cpu),
        memory=_spread(runs, lambda run: run.memory),
        device_memory=Spread.of(devices) if devices else None,
        size=model_size(str(one.what), first.signature),
        batches=_pass_rows([run.batches for run in runs], estimate),
        steps=_pass_rows([run.steps for run in runs], lambda seconds: None),
        tricks=_pass_rows([run.tricks for run in runs], estimate),
        estimate=estimate(warm.median),
        watts=power.watts,
        notes=(*first.notes, *_undefined(found)),
    )


def peer_row(one: Contender, command: str, runs: Sequence[PeerRun], plan: BenchPlan) -> BenchRow:
    """Sum up the repeats of a command; where it runs is not known, so energy is estimated as on a processor."""
    scores, found = runs[0].scores, None
    notes = () if scores else ("no score per segment was found in what the command printed or wrote to {scores}",)
    if scores and one.data.human is not None:
        found = metric_quality(one.data, scores, plan.statistic)
    load, seconds = Spread.of(run.load.seconds for run in runs), Spread.of(run.seconds for run in runs)
    power = plan.power(on_gpu=False)
    return BenchRow(
        label=one.label,
        kind="command",
        spec=command,
        data=one.data.name,
        segments=len(one.data),
        agreement=found,
        load=load,
        cold=seconds,
        warm=None,
        warm_cpu=None,
        cpu=Spread.of(run.whole.cpu for run in runs),
        memory=Spread.of(run.whole.memory or 0 for run in runs),
        device_memory=None,
        size=ModelSize(None, None),
        batches=(),
        steps=(),
        tricks=(),
        estimate=estimated(seconds.median, load.median, plan.scenario, power),
        watts=power.watts,
        notes=(*notes, *_undefined(found)),
    )


def _spread(runs: Sequence[Measured], of: Callable[[Measured], float]) -> Spread:
    return Spread.of(map(of, runs))


def _pass_rows(
    runs: Sequence[Sequence[PassCost]], estimate: Callable[[float], ScenarioEstimate | None]
) -> tuple[PassRow, ...]:
    """Sum up the repeats of each pass; every run has the same passes."""
    rows = []
    for repeats in zip(*runs, strict=True):
        seconds = Spread.of(one.cost.seconds / one.outputs for one in repeats)
        peaks = [one.cost.memory for one in repeats if one.cost.memory is not None]
        memory = Spread.of(peaks) if peaks else None
        rows.append(PassRow(repeats[0].name, repeats[0].outputs, seconds, memory, estimate(seconds.median)))
    return tuple(rows)


def _undefined(found: MetricQuality | None) -> tuple[str, ...]:
    return (f"no {found.statistic}: {found.reason}",) if found and found.value is None else ()
