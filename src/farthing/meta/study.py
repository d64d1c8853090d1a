"""The study of several metrics on one set of judgements: a table of agreements, group by group, mean and pooled.

The mean is over the groups (language pairs); pooled is one statistic over all outputs of all groups together. The two
answer different questions, so both are always given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from farthing.core.errors import UsageError
from farthing.core.progress import counted
from farthing.core.types import Note
from farthing.meta.correlation import Average, Correlation, Undefined, correlate
from farthing.meta.judgements import Grid, Judgements
from farthing.meta.question import Question
from farthing.meta.ranking import clusters, p_matrix, unbeaten
from farthing.meta.scored import Scored, check_outputs
from farthing.meta.significance import system_means

POOLED = "pooled"


@dataclass(frozen=True, slots=True)
class StudyCell:
    """One metric on one group: a value, or the reason why it is undefined."""

    found: Correlation | None
    reason: str = ""
    unbeaten: bool = False
    rank: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Study:
    """The answers: cells by metric and group; with several groups there is one more, all of them pooled."""

    question: Question
    human: str
    metrics: tuple[Scored, ...]
    groups: tuple[str, ...]
    cells: dict[str, dict[str, StudyCell]]
    p_values: Mapping[str, np.ndarray] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    def mean(self, metric: str) -> float | None:
        """Return the mean over the groups, or None if one of them has no value."""
        cells = [self.cells[metric][group].found for group in self.groups]
        values = [cell.value for cell in cells if cell is not None]
        return float(np.mean(values)) if len(values) == len(self.groups) else None


def study(judgements: Judgements, metrics: Sequence[Scored], question: Question, human: str | None = None) -> Study:
    """Compare metrics with people on every group and, if there are several, on all of them pooled."""
    if question.level == "segment" or question.looks_at_segments:
        check_outputs(metrics, "give --level system and a statistic of whole systems; this one needs")
    elif question.test not in (None, "williams"):
        check_outputs(metrics, f"use --test williams; the {question.test} test needs")
    name = human or next(iter(_columns(judgements, question)), None)
    grids = judgements.grids()
    if question.level == "segment" and len(grids) > 1:
        grids.append(_block_grid(grids))
    found = answer(
        [grid.group for grid in grids],
        metrics,
        question,
        lambda place: _cells(judgements, grids[place], metrics, question, name),
        lambda place: _p_values(judgements, grids[place], metrics, question, name),
    )
    if question.level == "system" and len(grids) > 1:
        for metric in metrics:
            found.cells[metric.name][POOLED] = _pooled_systems(found.cells[metric.name])
    return replace(found, human=name or "", notes=(*judgements.notes, *found.notes))


def answer(
    groups: Sequence[str],
    metrics: Sequence[Scored],
    question: Question,
    cells_of: Callable[[int], list[StudyCell]],
    p_values_of: Callable[[int], np.ndarray],
) -> Study:
    """Build a study, given what makes the cells and the p-values of each group."""
    if not metrics:
        raise UsageError("at least one metric is needed")
    cells: dict[str, dict[str, StudyCell]] = {metric.name: {} for metric in metrics}
    p_values: dict[str, np.ndarray] = {}
    notes = []
    for place, group in counted("comparing", list(enumerate(groups))):
        row = cells_of(place)
        if question.test is not None and len(metrics) > 1:
            try:
                p_values[group] = p_values_of(place)
                row = _marked(row, p_values[group], question)
            except Undefined as error:
                notes.append(Note("no test", f"{group}: {error}"))
        for metric, cell in zip(metrics, row, strict=True):
            cells[metric.name][group] = cell
    own = tuple(group for group in groups if group != POOLED)
    return Study(question, "", tuple(metrics), own, cells, p_values, tuple(notes))


def _columns(judgements: Judgements, question: Question) -> Mapping[str, object]:
    """Return the human scores to choose from: whole systems have scores of their own if people judged them."""
    whole = question.level == "system" and not question.looks_at_segments
    return judgements.system_scores if whole and judgements.system_scores else judgements.scores


def _cells(
    judgements: Judgements, grid: Grid, metrics: Sequence[Scored], question: Question, human: str | None
) -> list[StudyCell]:
    if question.level == "segment" or question.looks_at_segments:
        people = grid.spread(judgements.judged(human))
        return [cell_of(people, grid.spread(metric.oriented), question, question.average) for metric in metrics]
    people = judged_systems(judgements, grid, human)
    return [cell_of(people, metric.of_systems(grid), question, "none") for metric in metrics]


def judged_systems(judgements: Judgements, grid: Grid, human: str | None) -> np.ndarray:
    """Return the human scores of the systems: those of whole systems if there are any, else the segments' means."""
    wholes = judgements.system_scores.get(human or "")
    if wholes is None:
        return system_means(grid.spread(judgements.judged(human)))
    return np.array([wholes.get((grid.group, system), np.nan) for system in grid.systems])


def cell_of(people: np.ndarray, metric: np.ndarray, question: Question, average: Average) -> StudyCell:
    """Compute one cell; an undefined statistic becomes the reason why."""
    try:
        return StudyCell(correlate(people, metric, question.statistic, average))
    except Undefined as error:
        return StudyCell(None, str(error))


def _p_values(
    judgements: Judgements, grid: Grid, metrics: Sequence[Scored], question: Question, human: str | None
) -> np.ndarray:
    """Return the p of every metric against every other; resampling draws segments even if systems are compared."""
    if question.test == "williams" and question.level == "system":
        people = judged_systems(judgements, grid, human)
        return p_matrix(people, [metric.of_systems(grid) for metric in metrics], question.tester())
    if not judgements.scores:
        raise UsageError(f"the {question.test} test draws segments, but only systems are judged: use --test williams")
    people = grid.spread(judgements.judged(human))
    return p_matrix(people, [grid.spread(metric.oriented) for metric in metrics], question.tester())


def _marked(cells: Sequence[StudyCell], p_values: np.ndarray, question: Question) -> list[StudyCell]:
    """Return the cells with their ranks; those that no other metric beats are marked."""
    best = unbeaten(p_values, question.alpha)
    ranks = clusters([cell.found.value if cell.found else -np.inf for cell in cells], p_values, question.alpha)
    return [
        StudyCell(cell.found, cell.reason, bool(top), rank) for cell, top, rank in zip(cells, best, ranks, strict=True)
    ]


def _block_grid(grids: Sequence[Grid]) -> Grid:
    """Lay out all groups as one; every group keeps its own systems and items."""
    rows = np.full((sum(len(g.systems) for g in grids), sum(len(g.items) for g in grids)), -1)
    top = left = 0
    for grid in grids:
        high, wide = grid.rows.shape
        rows[top : top + high, left : left + wide] = grid.rows
        top, left = top + high, left + wide
    return Grid(POOLED, tuple(str(n) for n in range(len(rows))), tuple(str(n) for n in range(rows.shape[1])), rows)


def _pooled_systems(cells: Mapping[str, StudyCell]) -> StudyCell:
    """Pool the pairs of systems of all groups; correlations cannot be pooled, since the groups' scales differ."""
    found = [cell.found for cell in cells.values()]
    values = [one for one in found if one is not None]
    if not values or not values[0].statistic.startswith(("accuracy", "kendall_like")) or len(values) < len(found):
        return StudyCell(None, "systems of different groups are not compared with each other")
    pairs = sum(one.pairs for one in values)
    return StudyCell(Correlation(sum(one.value * one.pairs for one in values) / pairs, pairs, values[0].statistic))
