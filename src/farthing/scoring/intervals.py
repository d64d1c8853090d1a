"""The intervals and tests of all cells of a comparison, from one preparation of each system for resampling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from farthing.core.arrays import Indices
from farthing.core.metric import Metric, SetMetric
from farthing.core.types import Scores
from farthing.scoring.findings import Findings, TestedColumn, gather_findings
from farthing.scoring.resampling import (
    LEVEL,
    Interval,
    Paired,
    PairedTest,
    Redrawn,
    Resampled,
    bootstrap_interval,
    pair_significance,
    resampled,
)

CellTest: TypeAlias = tuple[Interval | None, Paired | None]


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
) -> tuple[list[list[CellTest]], Findings | None]:
    """Find the interval and the test of every cell, [metric][system], and what else a test says."""
    columns, tested = [], []
    for metric, column, label, spec in zip(metrics, scores, labels, specs, strict=True):
        needed = plan.test is not None or any(found.interval is None for found in column)
        systems = [resampled(metric, found, plan.documents) for found in column] if needed else []
        cells = [_cell_test(column, systems, place, plan) for place in range(len(column))]
        named = {found.system: system for found, system in zip(column, systems, strict=False)}
        differ = {name for name, (_, one) in zip(named, cells, strict=False) if one and one.p_value < LEVEL}
        columns.append(cells)
        tested.append(TestedColumn(label, spec, metric.info, named, frozenset(differ)))
    documents = None if plan.documents is None else int(plan.documents.max()) + 1
    if plan.test is None:
        return columns, Findings((), documents) if documents else None
    findings = gather_findings(
        tested, scores[0][plan.baseline].system, test=plan.test, resamples=plan.resamples, seed=plan.seed,
        all_pairs=plan.all_pairs, documents=documents,
    )  # fmt: skip
    return columns, findings


def _cell_test(column: Sequence[Scores], systems: Sequence[Redrawn], place: int, plan: ResamplingPlan) -> CellTest:
    found = column[place]
    limits = None if found.interval is None else Interval(found.corpus, *found.interval)
    if limits is None and isinstance(system := systems[place], Resampled):
        limits = bootstrap_interval(system, seed=plan.seed)
    if plan.test is None or place == plan.baseline:
        return limits, None
    pair = systems[plan.baseline], systems[place]
    return limits, pair_significance(*pair, plan.test, plan.resamples, plan.seed)
