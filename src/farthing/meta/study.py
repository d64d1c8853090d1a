"""The study of several metrics on one set of judgements: a table of agreements, group by group, mean and pooled.

Mean is the mean over the groups (language pairs); pooled is one statistic over all outputs of all groups together.
The two answer different questions and are always both named.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from farthing.core.errors import UnknownName, UsageError
from farthing.core.specs import parse_spec
from farthing.core.types import Note
from farthing.meta.correlation import Average, Correlation, Undefined, correlate
from farthing.meta.judgements import Grid, Judgements
from farthing.meta.ranking import clusters, p_matrix, unbeaten
from farthing.meta.scored import Scored
from farthing.meta.significance import Difference, Level, bootstrap, permutation, system_means, williams_test

TestName = Literal["williams", "permutation", "bootstrap"]
TESTS: tuple[TestName, ...] = ("williams", "permutation", "bootstrap")
POOLED = "pooled"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of every metric.

    :param level: "segment" compares outputs, "system" whole systems
    :param test: how metrics are tested against each other, if at all
    """

    statistic: str = "pearson"
    average: Average = "none"
    level: Level = "segment"
    test: TestName | None = None
    resamples: int = 1000
    seed: int = 0
    alpha: float = 0.05

    def __post_init__(self) -> None:
        if self.test is not None and self.test not in TESTS:
            raise UnknownName("test", self.test, TESTS)
        if self.test == "williams" and (parse_spec(self.statistic).name, self.average) != ("pearson", "none"):
            raise UsageError("Williams' test is for pearson without averaging: take --test permutation or bootstrap")

    def tester(self) -> Callable[[np.ndarray, np.ndarray, np.ndarray], Difference]:
        """The test of two metrics on one group."""
        if self.test == "williams":
            return williams_test
        run: Any = permutation if self.test == "permutation" else bootstrap
        count = {"permutations" if self.test == "permutation" else "samples": self.resamples}
        return lambda human, first, second: run(
            human, first, second, self.statistic, self.average, seed=self.seed, level=self.level, **count
        )


@dataclass(frozen=True, slots=True)
class Cell:
    """One metric on one group: a value, or the reason why there is none."""

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
    cells: dict[str, dict[str, Cell]]
    p_values: Mapping[str, np.ndarray] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    def mean(self, metric: str) -> float | None:
        """The mean over the groups, or None where one of them has no value."""
        found = [self.cells[metric][group].found for group in self.groups]
        values = [cell.value for cell in found if cell is not None]
        return float(np.mean(values)) if len(values) == len(self.groups) else None


def study(judgements: Judgements, metrics: Sequence[Scored], question: Question, human: str | None = None) -> Study:
    """Compare metrics with people on every group and, where there are several, on all of them pooled."""
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
    cells_of: Callable[[int], list[Cell]],
    p_values_of: Callable[[int], np.ndarray],
) -> Study:
    """A study from what makes the cells and the p-values of each group."""
    if not metrics:
        raise UsageError("at least one metric is needed")
    cells: dict[str, dict[str, Cell]] = {metric.name: {} for metric in metrics}
    p_values: dict[str, np.ndarray] = {}
    notes = []
    for place, group in enumerate(groups):
        found = cells_of(place)
        if question.test is not None and len(metrics) > 1:
            try:
                p_values[group] = p_values_of(place)
                found = _marked(found, p_values[group], question)
            except Undefined as error:
                notes.append(Note("no test", f"{group}: {error}"))
        for metric, cell in zip(metrics, found, strict=True):
            cells[metric.name][group] = cell
    own = tuple(group for group in groups if group != POOLED)
    return Study(question, "", tuple(metrics), own, cells, p_values, tuple(notes))


def _columns(judgements: Judgements, question: Question) -> Mapping[str, Any]:
    """The human scores to choose from: whole systems are judged by scores of their own, where there are some."""
    whole = question.level == "system" and not _from_segments(question)
    return judgements.system_scores if whole and judgements.system_scores else judgements.scores


def _from_segments(question: Question) -> bool:
    """True for a statistic of systems that looks at the segments behind their scores."""
    return parse_spec(question.statistic).name == "soft_pairwise_accuracy"


def _cells(
    judgements: Judgements, grid: Grid, metrics: Sequence[Scored], question: Question, human: str | None
) -> list[Cell]:
    if question.level == "segment" or _from_segments(question):
        people = grid.spread(judgements.judged(human))
        return [cell_of(people, grid.spread(metric.oriented), question, question.average) for metric in metrics]
    people = judged_systems(judgements, grid, human)
    return [cell_of(people, metric.of_systems(grid), question, "none") for metric in metrics]


def judged_systems(judgements: Judgements, grid: Grid, human: str | None) -> np.ndarray:
    """People's scores of the systems: their own where people judged wholes, else the mean of the segments'."""
    wholes = judgements.system_scores.get(human or "")
    if wholes is None:
        return system_means(grid.spread(judgements.judged(human)))
    return np.array([wholes.get((grid.group, system), np.nan) for system in grid.systems])


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """What a scatter plot shows: outputs or systems with their human and metric scores, as the metrics give them."""

    human: np.ndarray
    metrics: dict[str, np.ndarray]
    groups: tuple[str, ...]


def points(judgements: Judgements, found: Study) -> Points:
    """The points behind a study."""
    if found.question.level == "segment" or found.human not in (judgements.system_scores or judgements.scores):
        values = {metric.name: metric.values for metric in found.metrics}
        return Points(judgements.judged(found.human), values, judgements.groups)
    grids = judgements.grids()
    people = np.concatenate([judged_systems(judgements, grid, found.human) for grid in grids])
    values = {
        metric.name: np.concatenate([metric.of_systems(grid) for grid in grids])
        * (1 if metric.higher_is_better else -1)
        for metric in found.metrics
    }
    return Points(people, values, tuple(grid.group for grid in grids for _ in grid.systems))


def cell_of(people: np.ndarray, metric: np.ndarray, question: Question, average: Average) -> Cell:
    try:
        return Cell(correlate(people, metric, question.statistic, average))
    except Undefined as error:
        return Cell(None, str(error))


def _p_values(
    judgements: Judgements, grid: Grid, metrics: Sequence[Scored], question: Question, human: str | None
) -> np.ndarray:
    """The p of every metric against every other. Resampling draws segments, also where systems are compared."""
    if question.test == "williams" and question.level == "system":
        people = judged_systems(judgements, grid, human)
        return p_matrix(people, [metric.of_systems(grid) for metric in metrics], question.tester())
    if not judgements.scores:
        raise UsageError(f"the {question.test} test draws segments, but only systems are judged: take --test williams")
    people = grid.spread(judgements.judged(human))
    return p_matrix(people, [grid.spread(metric.oriented) for metric in metrics], question.tester())


def _marked(cells: Sequence[Cell], p_values: np.ndarray, question: Question) -> list[Cell]:
    """The cells with their ranks, and the unbeaten marked."""
    best = unbeaten(p_values, question.alpha)
    ranks = clusters([cell.found.value if cell.found else -np.inf for cell in cells], p_values, question.alpha)
    return [Cell(cell.found, cell.reason, bool(top), rank) for cell, top, rank in zip(cells, best, ranks, strict=True)]


def _block_grid(grids: Sequence[Grid]) -> Grid:
    """All groups in one: every group's systems and items are its own."""
    rows = np.full((sum(len(g.systems) for g in grids), sum(len(g.items) for g in grids)), -1)
    top = left = 0
    for grid in grids:
        high, wide = grid.rows.shape
        rows[top : top + high, left : left + wide] = grid.rows
        top, left = top + high, left + wide
    return Grid(POOLED, tuple(str(n) for n in range(len(rows))), tuple(str(n) for n in range(rows.shape[1])), rows)


def _pooled_systems(cells: Mapping[str, Cell]) -> Cell:
    """Over language pairs, pairs of systems are pooled and correlations are not: their scales differ."""
    found = [cell.found for cell in cells.values()]
    values = [one for one in found if one is not None]
    if not values or not values[0].statistic.startswith(("accuracy", "kendall_like")) or len(values) < len(found):
        return Cell(None, "systems of different groups are not compared with each other")
    pairs = sum(one.pairs for one in values)
    return Cell(Correlation(sum(one.value * one.pairs for one in values) / pairs, pairs, values[0].statistic))
