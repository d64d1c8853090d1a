"""The result of scoring: systems by metrics, with intervals and tests, printed in every usual form."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from farthing.core.errors import UnknownName
from farthing.core.metric import Metric, SetMetric
from farthing.core.records import ResultColumn, arrow_table, pandas_frame
from farthing.core.types import MetricInfo, Scores
from farthing.core.version import __version__
from farthing.scoring.resampling import RESAMPLES, SEED, Interval, Paired, PairedTest, interval, paired_test
from farthing.tables.sheet import Sheet, SheetCell, latex_escaped, sheet_html, sheet_latex, sheet_markdown, sheet_text

if TYPE_CHECKING:
    import pandas
    import pyarrow

LEVEL = 0.05  # below this p a difference is called significant
SAME = "≈"  # not significantly different from the baseline
_ARROWS = {"↑": r"$\uparrow$", "↓": r"$\downarrow$"}
PrintedForm: TypeAlias = Literal["table", "json", "csv", "latex", "markdown"]
RowKind: TypeAlias = Literal["system", "segment"]
_SUMMARY = ("system", "metric", "corpus", "ci_low", "ci_high", "difference", "p_value", "signature")


@dataclass(frozen=True, slots=True)
class Cell:
    """One system under one metric."""

    scores: Scores
    interval: Interval | None = None
    paired: Paired | None = None  # None for the baseline
    columns: tuple[Cell, ...] = ()  # the parts that a table shows instead, in the order of `MetricInfo.columns`

    @property
    def significant(self) -> bool:
        """True if the difference from the baseline is more than chance would make."""
        return self.paired is not None and self.paired.p_value < LEVEL


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One system under all metrics."""

    system: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Systems by metrics; without a test if only scores were asked for.

    :param labels: what to call each metric: its name, or its spec if two metrics share a name
    """

    metrics: tuple[MetricInfo, ...]
    labels: tuple[str, ...]
    rows: tuple[ComparisonRow, ...]
    baseline: str | None = None
    test: str | None = None
    resamples: int = 0
    seed: int = SEED

    def best(self, column: int) -> set[str]:
        """The systems with the best score under a metric."""
        higher = self.metrics[column].higher_is_better
        values = {row.system: row.cells[column].scores.corpus for row in self.rows}
        top = max(values.values()) if higher else min(values.values())
        return {name for name, value in values.items() if value == top}

    def printed(self, form: PrintedForm = "table", *, color: bool = False) -> str:
        """The whole as text in one of the usual forms; `color` sets the best score of each metric in bold."""
        if form == "table":
            return sheet_text(_sheet(self), color=color)
        if form == "json":
            return json.dumps(self.to_dict(), ensure_ascii=False, indent=1)
        if form == "csv":
            return _csv(self)
        return {"latex": sheet_latex, "markdown": sheet_markdown}[form](_sheet(self))

    def __str__(self) -> str:
        return self.printed()

    def _repr_html_(self) -> str:
        return sheet_html(_sheet(self))

    def to_dict(self) -> dict[str, object]:
        """Everything as plain values: what `--format json` prints."""
        about = {"name": self.test, "baseline": self.baseline, "resamples": self.resamples, "seed": self.seed}
        test = {"test": about} if self.test else {}
        return {"farthing": __version__, **test, "results": self.results()}

    def results(self) -> list[dict[str, object]]:
        """One entry per system and metric, as plain values."""
        return [_result(cell) for row in self.rows for cell in row.cells]

    def scores(self, metric: str, system: str | None = None) -> Scores:
        """Return the scores of one metric.

        :param metric: the metric's name, or its spec if two metrics share a name
        :param system: the name of a system; the first by default
        """
        systems = [row.system for row in self.rows]
        for kind, name, known in (("metric", metric, self.labels), ("system", system, systems)):
            if name is not None and name not in known:
                raise UnknownName(kind, name, known)
        row = self.rows[0 if system is None else systems.index(system)]
        return row.cells[self.labels.index(metric)].scores

    def columns(self, per: RowKind = "system") -> dict[str, ResultColumn]:
        """Return the columns of a table with one row per system and metric, or one per system and segment."""
        if per == "system":
            lines = [_line(row.system, cell) for row in self.rows for cell in row.cells]
            return {name: [line[place] for line in lines] for place, name in enumerate(_SUMMARY)}
        from farthing.scoring.segments import segment_columns

        return {**segment_columns({row.system: [cell.scores for cell in row.cells] for row in self.rows})}

    def to_arrow(self, per: RowKind = "system") -> pyarrow.Table:
        """Return an Arrow table with one row per system and metric, or one per system and segment."""
        return arrow_table(self.columns(per))

    def to_pandas(self, per: RowKind = "system") -> pandas.DataFrame:
        """Return a pandas frame with one row per system and metric, or one per system and segment."""
        return pandas_frame(self.columns(per))


def _result(cell: Cell) -> dict[str, object]:
    interval = {"ci": [cell.interval.low, cell.interval.high]} if cell.interval else {}
    test = {"difference": cell.paired.difference, "p_value": cell.paired.p_value} if cell.paired else {}
    return {**cell.scores.to_dict(), **interval, **test}


def _line(system: str, cell: Cell) -> tuple[object, ...]:
    """The values of one system under one metric, in the order of `_SUMMARY`; None if there is no such value."""
    low, high = (cell.interval.low, cell.interval.high) if cell.interval else (None, None)
    delta, p = (cell.paired.difference, cell.paired.p_value) if cell.paired else (None, None)
    scores = cell.scores
    return system, scores.metric, scores.corpus, low, high, delta, p, str(scores.signature)


def _csv(found: Comparison) -> str:
    """One line per system and metric."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_SUMMARY)
    writer.writerows(_line(row.system, cell) for row in found.rows for cell in row.cells)
    return text.getvalue().rstrip("\n")


def _spread(found: Comparison) -> Comparison:
    """The same with one metric per column of a table, several for a metric that shows parts instead of its score."""
    labels: list[str] = []
    for label, info in zip(found.labels, found.metrics, strict=True):
        prefix = "" if label == info.name else f"{label} "
        labels += [f"{prefix}{part}" for part in info.columns] or [label]
    infos = tuple(info for info in found.metrics for _ in info.columns or (info,))
    rows = [replace(row, cells=tuple(c for cell in row.cells for c in cell.columns or (cell,))) for row in found.rows]
    return replace(found, metrics=infos, labels=tuple(labels), rows=tuple(rows))


def _sheet(found: Comparison) -> Sheet:
    table = _spread(found)
    heads = [
        SheetCell(f"{label} {info.arrow}", f"{latex_escaped(label)} {_ARROWS[info.arrow]}")
        for label, info in zip(table.labels, table.metrics, strict=True)
    ]
    best = [table.best(place) for place in range(len(table.metrics))]
    rows = []
    for row in table.rows:
        name = f"{row.system} (baseline)" if row.system == found.baseline else row.system
        cells = zip(row.cells, table.metrics, best, strict=True)
        rows.append([SheetCell(name), *(_shown(cell, info, row.system in top) for cell, info, top in cells)])
    return Sheet([SheetCell("system", "System"), *heads], rows, list(_legend(found)), list(_comments(found)))


def _shown(cell: Cell, info: MetricInfo, best: bool) -> SheetCell:
    value = score_text(cell.scores.corpus, info)
    text, latex = value, rf"\textbf{{{value}}}" if best else value
    if cell.interval:
        ends = f"[{score_text(cell.interval.low, info)}, {score_text(cell.interval.high, info)}]"
        text, latex = f"{text} {ends}", rf"{latex} {{\scriptsize {ends}}}"
    if cell.paired:
        p = cell.paired.p_value
        text += f" {'' if cell.significant else SAME}" + (f"p={p:.3f}" if p >= 0.001 else "p<0.001")
    return SheetCell(text, latex + (r"$^\dagger$" if cell.significant else ""), best)


def score_text(value: float, info: MetricInfo) -> str:
    """Two decimals for metrics that go to 100 or beyond, four for those that end near 1."""
    top = info.range[1]
    return f"{value:.4f}" if top is not None and top < 10 else f"{value:.2f}"


def _legend(found: Comparison) -> Iterator[str]:
    yield ""
    if found.test:
        yield (
            f"Paired {found.test} against {found.baseline}, {found.resamples} samples, seed {found.seed}; "
            f"{SAME} not significantly different (p >= 0.05)."
        )
    with_interval = [cell.scores for row in found.rows for cell in row.cells if cell.interval]
    if any(scores.segments is not None for scores in with_interval):
        yield f"In brackets the 95 % bootstrap interval (1000 samples, seed {found.seed})."
    if sets := sorted({scores.metric for scores in with_interval if scores.segments is None}):
        yield f"In brackets the 95 % interval; the pages of {', '.join(sets)} say how it is found (seed {found.seed})."
    for row in found.rows:
        for cell, info in zip(row.cells, found.metrics, strict=True):
            if shown := [f"{name} {score_text(float(cell.scores.parts[name]), info)}" for name in info.shown]:
                yield f"{row.system}, {info.name}: {', '.join(shown)}"
    for cell in found.rows[0].cells:
        yield str(cell.scores.signature)
    for row in found.rows:
        for cell in row.cells:
            for note in cell.scores.notes:
                yield f"note: {row.system}, {cell.scores.metric}: {note}"


def _comments(found: Comparison) -> Iterator[str]:
    if found.test:
        yield rf"$\dagger$: significantly different from {found.baseline} ({found.test}, p < 0.05)"
    for cell in found.rows[0].cells:
        yield str(cell.scores.signature)


def compared(
    metrics: Sequence[Metric | SetMetric],
    scores: Sequence[Sequence[Scores]],
    *,
    specs: Sequence[str] | None = None,
    intervals: bool = False,
    test: PairedTest | None = None,
    baseline: str | None = None,
    resamples: int = 0,
    seed: int = SEED,
) -> Comparison:
    """Put scores[metric][system] side by side.

    :param specs: what the metrics were loaded from; a metric whose name another one has is called by it
    :param intervals: add 95 % intervals by resampling
    :param test: test every system against the baseline
    :param resamples: how many resamples the test draws; 0 takes the usual number
    """
    names = [found.system for found in scores[0]]
    infos = tuple(metric.info for metric in metrics)
    rows = [ComparisonRow(name, ()) for name in names]
    place = _place(names, baseline) if test else None

    def judged(metric: Metric | SetMetric, column: Sequence[Scores]) -> list[Cell]:
        other = column[place] if place is not None else None
        return [
            Cell(found, interval(metric, found, seed=seed) if intervals or found.interval else None,
                 None if test is None or other is None or found is other
                 else paired_test(metric, other, found, test, resamples, seed))
            for found in column
        ]  # fmt: skip

    for metric, column in zip(metrics, scores, strict=True):
        parts = [judged(metric, [_part(found, name) for found in column]) for name in metric.info.columns]
        cells = [
            replace(cell, columns=tuple(part[n] for part in parts)) for n, cell in enumerate(judged(metric, column))
        ]
        rows = [ComparisonRow(row.system, (*row.cells, cell)) for row, cell in zip(rows, cells, strict=True)]
    labels = _labels(infos, specs)
    if test is None or place is None:
        return Comparison(infos, labels, tuple(rows), seed=seed)
    return Comparison(infos, labels, tuple(rows), names[place], test, resamples or RESAMPLES[test], seed)


def _place(names: Sequence[str], baseline: str | None) -> int:
    if baseline is not None and baseline not in names:
        raise UnknownName("baseline", baseline, names)
    return 0 if baseline is None else names.index(baseline)


def _part(scores: Scores, name: str) -> Scores:
    """The scores of a part that has one value per pair."""
    values = np.asarray(scores.parts[name])
    return replace(scores, corpus=float(values.mean()), segments=values, parts={}, statistics=None, interval=None)


def _labels(infos: Sequence[MetricInfo], specs: Sequence[str] | None) -> tuple[str, ...]:
    names = [info.name for info in infos]
    return tuple(
        name if names.count(name) == 1 or specs is None else spec
        for name, spec in zip(names, specs or names, strict=True)
    )
