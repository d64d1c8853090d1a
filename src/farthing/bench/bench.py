"""The bench itself: every contender once per round, each time in a fresh process, then one row for each.

Rounds make a busy machine slow all contenders alike; every second one goes backwards, so that none is always the first.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from farthing.bench.contenders import Contender
from farthing.bench.data import BenchData
from farthing.bench.exchange import Measured, Request, write_texts
from farthing.bench.machine import Machine, this_machine
from farthing.bench.pareto import pareto_front
from farthing.bench.peers import Peer, PeerRun, run_peer
from farthing.bench.plan import BenchPlan
from farthing.bench.process import run_worker
from farthing.bench.rows import BenchRow, metric_row, peer_row
from farthing.bench.training import TrainingMeasured
from farthing.bench.training_rows import TrainingContender, TrainingRow, measured_once, training_row
from farthing.core.progress import counted

WORKER = "farthing.bench.worker"
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class BenchResult:
    """All rows, and how they were measured."""

    plan: BenchPlan
    machine: Machine
    data: tuple[BenchData, ...]
    rows: tuple[BenchRow, ...]
    training: tuple[TrainingRow, ...] = ()

    def front(self, data: str, cost: str) -> list[BenchRow]:
        """Return the rows of a data set that no other beats in quality and cost at once, cheapest first.

        :param cost: "time" or "memory"
        """
        rows = [row for row in self.rows if row.data == data and row.quality is not None]
        costs = [row.seconds if cost == "time" else row.memory.median for row in rows]
        return [rows[place] for place in pareto_front(costs, [row.quality or 0.0 for row in rows])]


def bench(contenders: Sequence[Contender], plan: BenchPlan, training: Sequence[TrainingContender] = ()) -> BenchResult:
    """Measure every contender, and training if asked for."""
    sets = {one.data.name: one.data for one in contenders}
    runs: dict[str, list[Measured | PeerRun]] = {one.label: [] for one in contenders}
    learned: dict[str, list[TrainingMeasured]] = {one.label: [] for one in training}
    with TemporaryDirectory() as scratch:
        for name, data in sets.items():
            write_texts(Path(scratch) / f"{name}.json", data.judgements.texts)
        for one in _rounds(contenders, plan.repeats, "measuring"):
            runs[one.label].append(_measured(one, plan, Path(scratch)))
        for trained in _rounds(training, plan.repeats, "training"):
            learned[trained.label].append(measured_once(trained, Path(scratch)))
    rows = [_row(one, runs[one.label], plan) for one in contenders]
    trained_rows = tuple(training_row(one, learned[one.label]) for one in training)
    return BenchResult(plan, this_machine(), tuple(sets.values()), tuple(rows), trained_rows)


def _rounds(items: Sequence[_Item], repeats: int, title: str) -> Iterator[_Item]:
    """Yield every item once per round; every second round goes backwards."""
    order = [item for number in range(repeats) for item in (items if number % 2 == 0 else items[::-1])]
    yield from counted(title, order) if order else ()


def _measured(one: Contender, plan: BenchPlan, scratch: Path) -> Measured | PeerRun:
    """Measure a contender once."""
    if isinstance(one.what, Peer):
        with TemporaryDirectory(dir=scratch) as folder:
            return run_peer(one.what, one.data.judgements.texts, Path(folder))
    with TemporaryDirectory(dir=scratch) as folder:
        request = Request(
            str(one.what),
            str(scratch / f"{one.data.name}.json"),
            plan.part,
            plan.batches,
            plan.systems,
            plan.steps,
            plan.tricks,
            folder,
        )
        return run_worker(WORKER, one.label, request, Measured)


def _row(one: Contender, runs: Sequence[Measured | PeerRun], plan: BenchPlan) -> BenchRow:
    if isinstance(one.what, Peer):
        peers = [run for run in runs if isinstance(run, PeerRun)]
        return peer_row(one, shlex.join(one.what.arguments), peers, plan)
    return metric_row(one, [run for run in runs if isinstance(run, Measured)], plan)
