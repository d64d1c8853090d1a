"""The intervals and tests of all cells of a comparison, from one preparation of each system for resampling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from farthing.core.arrays import Indices
from farthing.core.metric import Metric, SetMetric
from farthing.core.progress import counted
from farthing.core.types import Scores
from farthing.scoring.agreement import spec_told
from farthing.scoring.cells import Cell, part_scores
from farthing.scoring.findings import Findings, TestedColumn, gather_findings
from farthing.scoring.resampling import (
    Interval,
    PairedTest,
    Redrawn,
    Resampled,
    bootstrap_interval,
    pair_significance,
    resampled,
)


@dataclass(frozen=True, slots=True)
class ResamplingPlan:
    """What is resampled, and what is tested.

    :param test: test every system against the baseline; None adds intervals only
    :param baseline: the place of the baseline among the systems
    :param resamples: how many resamples a test draws; 0 takes the usual number
    :param documents: the number of each row's document; whole documents are resampled then
    :param all_pairs: test every system against every other, too
    """

    test: PairedTest | None
    baseline: int
    resamples: int
    seed: int
    documents: Indices | None
    all_pairs: bool


def resample_columns(
    metrics: Sequence[Metric | SetMetric],
    scores: Sequence[Sequence[Scores]],
    labels: Sequence[str],
    specs: Sequence[str],
    plan: ResamplingPlan,
) -> tuple[list[list[Cell]], Findings | None]:
    """Return the cells with their intervals and tests, [metric][system], and what else a test says."""
    columns, tested = [], []
    for metric, column, label, spec in zip(metrics, scores, labels, specs, strict=True):
        systems = _prepared(metric, column, plan)
        parts = [
            _cells(part, _prepared(metric, part, plan), plan)
            for part in ([part_scores(found, name) for found in column] for name in metric.info.columns)
        ]
        cells = _cells(column, systems, plan)
        columns.append([replace(cell, columns=tuple(part[n] for part in parts)) for n, cell in enumerate(cells)])
        named = {found.system: system for found, system in zip(column, systems, strict=False)}
        differ = frozenset(cell.scores.system for cell in cells if cell.significant)
        tested.append(TestedColumn(label, spec_told(spec, column[0].signature), metric.info, named, differ))
    documents = None if plan.documents is None else int(plan.documents.max()) + 1
    if plan.test is None:
        return columns, Findings((), documents) if documents else None
    findings = gather_findings(
        tested, scores[0][plan.baseline].system, test=plan.test, resamples=plan.resamples, seed=plan.seed,
        all_pairs=plan.all_pairs, documents=documents,
    )  # fmt: skip
    return columns, findings


def _prepared(metric: Metric | SetMetric, column: Sequence[Scores], plan: ResamplingPlan) -> list[Redrawn]:
    """Make all systems ready for resampling; none if nothing is tested and the metric itself gives the intervals."""
    needed = plan.test is not None or any(found.interval is None for found in column)
    return [resampled(metric, found, plan.documents) for found in column] if needed else []


def _cells(column: Sequence[Scores], systems: Sequence[Redrawn], plan: ResamplingPlan) -> list[Cell]:
    return [_cell(found, systems, place, plan) for place, found in counted("resampling", list(enumerate(column)))]


def _cell(found: Scores, systems: Sequence[Redrawn], place: int, plan: ResamplingPlan) -> Cell:
    limits = None if found.interval is None else Interval(found.corpus, *found.interval)
    if limits is None and isinstance(system := systems[place], Resampled):
        limits = bootstrap_interval(system, seed=plan.seed)
    if plan.test is None or place == plan.baseline:
        return Cell(found, limits)
    pair = systems[plan.baseline], systems[place]
    return Cell(found, limits, pair_significance(*pair, plan.test, plan.resamples, plan.seed))
