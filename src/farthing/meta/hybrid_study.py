"""Hybrid systems of every group: how metrics correlate with people over them, and how well they select the best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from farthing.core.errors import UsageError
from farthing.core.progress import counted
from farthing.core.types import Note
from farthing.meta.correlation import Undefined
from farthing.meta.hybrids import HYBRIDS, Picks, hybrid_aggregates, hybrid_scores
from farthing.meta.judgements import Grid, Judgements
from farthing.meta.question import Question
from farthing.meta.ranking import p_matrix
from farthing.meta.scored import Scored, check_outputs
from farthing.meta.selection import DRAWN, DRAWS, Selection, select
from farthing.meta.study import Study, answer, cell_of


@dataclass(frozen=True, slots=True, eq=False)
class Hybrids:
    """One group's hybrids: their human scores and each metric's, oriented."""

    group: str
    human: np.ndarray
    metrics: tuple[np.ndarray, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SelectionStudy:
    """How well each metric selects, by group."""

    human: str
    metrics: tuple[Scored, ...]
    groups: tuple[str, ...]
    found: dict[str, dict[str, Selection]]
    hybrids: int
    draws: int
    drawn: int
    seed: int
    notes: tuple[Note, ...] = ()


def make_hybrids(
    judgements: Judgements, metrics: Sequence[Scored], count: int = HYBRIDS, seed: int = 0, human: str | None = None
) -> tuple[list[Hybrids], tuple[Note, ...]]:
    """Make the hybrids of all groups with two systems or more; the other groups are noted."""
    if judgements.system_scores and not judgements.scores:
        raise UsageError(f"{judgements.path}: only whole systems are judged, but hybrids need a score of every output")
    check_outputs(metrics, "hybrids need")
    people = judgements.judged(human)
    found, notes = [], []
    for grid in counted("making hybrids", judgements.grids()):
        if len(grid.systems) < 2:
            notes.append(Note("left out", f"{grid.group}: hybrids need at least two systems"))
            continue
        picks = Picks(grid.rows >= 0, count, seed)
        scores = tuple(_metric_scores(metric, grid, picks) for metric in metrics)
        found.append(Hybrids(grid.group, hybrid_scores(grid.spread(people), picks), scores))
    if not found:
        raise UsageError(f"{judgements.path}: hybrids need outputs of at least two systems; name them with --system")
    return found, tuple(notes)


def _metric_scores(metric: Scored, grid: Grid, picks: Picks) -> np.ndarray:
    sign = 1.0 if metric.higher_is_better else -1.0
    if metric.aggregate is not None and metric.statistics is not None:
        there = grid.rows >= 0
        statistics = np.where(there[..., None], metric.statistics[grid.rows], 0.0)
        return sign * hybrid_aggregates(statistics, metric.aggregate, picks)
    values = grid.spread(metric.oriented)
    if np.isnan(values[grid.rows >= 0]).any():
        raise UsageError(f"{metric.name} has no score for some outputs of {grid.group}: hybrids need all of them")
    return hybrid_scores(values, picks)


def correlate_hybrids(
    judgements: Judgements,
    metrics: Sequence[Scored],
    question: Question,
    count: int = HYBRIDS,
    seed: int = 0,
    human: str | None = None,
) -> Study:
    """Correlate metrics with people over hybrid systems, group by group."""
    hybrids, notes = make_hybrids(judgements, metrics, count, seed, human)
    found = answer(
        [one.group for one in hybrids],
        metrics,
        question,
        lambda place: [cell_of(hybrids[place].human, scores, question, "none") for scores in hybrids[place].metrics],
        lambda place: p_matrix(hybrids[place].human, hybrids[place].metrics, question.tester()),
    )
    name = human or next(iter(judgements.scores))
    return replace(found, human=name, notes=(*judgements.notes, *notes, *found.notes))


def select_hybrids(
    judgements: Judgements,
    metrics: Sequence[Scored],
    count: int = HYBRIDS,
    draws: int = DRAWS,
    drawn: int = DRAWN,
    seed: int = 0,
    human: str | None = None,
) -> SelectionStudy:
    """Let every metric select among the hybrids of each group."""
    if not metrics:
        raise UsageError("at least one metric is needed")
    hybrids, notes = make_hybrids(judgements, metrics, count, seed, human)
    found: dict[str, dict[str, Selection]] = {metric.name: {} for metric in metrics}
    for one in counted("selecting", hybrids):
        if np.ptp(one.human) == 0:
            raise Undefined(f"{one.group}: all hybrids have the same human score, so none is the best")
        by_name = {metric.name: scores for metric, scores in zip(metrics, one.metrics, strict=True)}
        for name, selection in select(one.human, by_name, draws, drawn, seed).items():
            found[name][one.group] = selection
    groups = tuple(one.group for one in hybrids)
    name = human or next(iter(judgements.scores))
    return SelectionStudy(name, tuple(metrics), groups, found, count, draws, drawn, seed, (*judgements.notes, *notes))
