"""Results of meta-evaluation as tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from farthing.core.types import Note
from farthing.meta.hybrid_study import SelectionStudy
from farthing.meta.robustness_study import AreaStudy, PreferenceStudy
from farthing.meta.scored import Scored
from farthing.meta.study import POOLED, Study, StudyCell
from farthing.tables.grid import MISSING, NumberTable

MEASURES = {"hits": "Hits@1", "reciprocal_rank": "mean reciprocal rank", "difference": "lost human score"}


def study_table(found: Study, what: str = "outputs") -> NumberTable:
    """Return one row per metric and one column per group, then their mean and all of them pooled."""
    several = len(found.groups) > 1
    pooled = several and any(POOLED in cells for cells in found.cells.values())
    columns = [*found.groups, *(["mean"] if several else []), *([POOLED] if pooled else [])]
    rows, marked = [], set()
    for row, metric in enumerate(found.metrics):
        cells = found.cells[metric.name]
        values = [_value(cells[group]) for group in found.groups]
        if several:
            values.append(found.mean(metric.name))
        if pooled:
            values.append(_value(cells[POOLED]))
        marked |= {(row, columns.index(group)) for group, cell in cells.items() if cell.unbeaten and group in columns}
        rows.append((metric.name, values))
    return NumberTable("metric", columns, rows, frozenset(marked), ["", *_study_notes(found, what)])


def _value(cell: StudyCell) -> float | None:
    return None if cell.found is None else cell.found.value


def _study_notes(found: Study, what: str) -> list[str]:
    question = found.question
    average = "" if question.average == "none" or question.level == "system" else f", averaged by {question.average}"
    level = "whole systems" if question.level == "system" else what
    lines = [f"{question.statistic} with the human scores {found.human!r}, over {level}{average}."]
    if len(found.groups) > 1:
        lines.append("mean: over the columns before it; pooled: one statistic over all of them together.")
    if question.test:
        resamples = "" if question.test == "williams" else f", {question.resamples} resamples, seed {question.seed}"
        lines.append(f"* not beaten by any other metric ({question.test} test{resamples}, p < {question.alpha:g}).")
    thresholds = {
        f"{metric.name} {cell.found.threshold:.4g} ({group})"
        for metric in found.metrics
        for group, cell in found.cells[metric.name].items()
        if cell.found is not None and cell.found.threshold is not None
    }
    if thresholds:
        lines.append(f"ties up to: {', '.join(sorted(thresholds))}.")
    reasons = {
        f"{MISSING} {metric.name}, {group}: {cell.reason}"
        for metric in found.metrics
        for group, cell in found.cells[metric.name].items()
        if cell.reason and not (group == POOLED and question.level == "system")
    }
    return [*lines, *sorted(reasons), *_signatures(found.metrics), *map(_note, found.notes)]


def _note(note: Note) -> str:
    return f"note: {note}"


def _signatures(metrics: Sequence[Scored]) -> list[str]:
    return [metric.signature for metric in metrics if metric.signature]


def selection_table(found: SelectionStudy, measure: str) -> NumberTable:
    """Return one of the three measures: one row per metric, one column per group."""
    several = len(found.groups) > 1
    rows: list[tuple[str, list[float | None]]] = []
    for metric in found.metrics:
        values = [getattr(found.found[metric.name][group], measure).value for group in found.groups]
        rows.append((metric.name, [*values, float(np.mean(values))] if several else values))
    best = np.argmin if measure == "difference" else np.argmax
    table = np.array([values for _, values in rows], dtype=float)
    marked = frozenset((int(best(column)), place) for place, column in enumerate(table.T))
    margin = max(getattr(one, measure).margin for by_group in found.found.values() for one in by_group.values())
    notes = [f"95 % intervals are at most ± {margin:.4f}; * the best.", ""]
    return NumberTable(MEASURES[measure], [*found.groups, *(["mean"] if several else [])], rows, marked, notes, 4)


def selection_notes(found: SelectionStudy) -> list[str]:
    """Return the lines that explain the tables of a selection study."""
    drawn = f"{found.draws} draws of {found.drawn} out of {found.hybrids} hybrid systems, seed {found.seed}"
    about = f"{drawn}; human scores {found.human!r}. The lost human score is better the lower it is."
    return [about, *_signatures(found.metrics), *map(_note, found.notes)]


def preference_table(found: PreferenceStudy) -> NumberTable:
    """Return one row per metric and one column per kind of change: the rate at which the good text is preferred."""
    columns = [check.name for check in found.checks]
    rows = [(m.name, [found.found[m.name][name].rate for name in columns]) for m in found.metrics]
    counts = ", ".join(f"{check.name} {len(check)}" for check in found.checks)
    notes = [
        "",
        f"Rate at which the good text ({found.good}) scores above the damaged one; a tie counts half.",
        f"texts (seed {found.seed}): {counts}.",
        *_signatures(found.metrics),
        *map(_note, found.notes),
    ]
    return NumberTable("metric", columns, rows, notes=notes)


def area_table(found: AreaStudy) -> NumberTable:
    """Return one row per metric and one column per group: the area under the ROC curve."""
    several = len(found.groups) > 1
    columns = [*found.groups, *(["mean", POOLED] if several else [])]
    rows: list[tuple[str, list[float | None]]] = []
    for metric in found.metrics:
        areas = found.found[metric.name]
        values: list[float | None] = [areas[group].value for group in found.groups]
        if several:
            values += [float(np.mean([areas[group].value for group in found.groups])), areas[POOLED].value]
        rows.append((metric.name, values))
    notes = ["", f"Area under the ROC curve for the labels {found.human!r}; 0.5 is chance."]
    return NumberTable("metric", columns, rows, notes=[*notes, *_signatures(found.metrics), *map(_note, found.notes)])
