"""The result of scoring: systems by metrics, with intervals and tests, printed in every usual form."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from farthing.core.errors import UnknownName
from farthing.core.metric import Metric, SetMetric
from farthing.core.types import MetricInfo, Scores
from farthing.core.version import __version__
from farthing.scoring.resampling import RESAMPLES, SEED, Interval, Paired, PairedTest, interval, paired_test
from farthing.tables.sheet import Sheet, SheetCell, latex_escaped, sheet_html, sheet_latex, sheet_markdown, sheet_text

LEVEL = 0.05  # below this p a difference is called significant
SAME = "≈"  # not significantly different from the baseline
_ARROWS = {"↑": r"$\uparrow$", "↓": r"$\downarrow$"}
PrintedForm: TypeAlias = Literal["table", "json", "csv", "latex", "markdown"]


@dataclass(frozen=True, slots=True)
class Cell:
    """One system under one metric."""

    scores: Scores
    interval: Interval | None = None
    paired: Paired | None = None  # None for the baseline
    columns: tuple[Cell, ...] = ()  # the parts that a table shows in columns of their own, in the metric's order

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
        return _best(self.metrics[column], {row.system: row.cells[column] for row in self.rows})

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


def _result(cell: Cell) -> dict[str, object]:
    interval = {"ci": [cell.interval.low, cell.interval.high]} if cell.interval else {}
    test = {"difference": cell.paired.difference, "p_value": cell.paired.p_value} if cell.paired else {}
    return {**cell.scores.to_dict(), **interval, **test}


def _csv(found: Comparison) -> str:
    """One line per system and metric."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["system", "metric", "corpus", "ci_low", "ci_high", "difference", "p_value", "signature"])
    for row in found.rows:
        for cell in row.cells:
            low, high = (cell.interval.low, cell.interval.high) if cell.interval else ("", "")
            delta, p = (cell.paired.difference, cell.paired.p_value) if cell.paired else ("", "")
            scores = cell.scores
            writer.writerow([row.system, scores.metric, scores.corpus, low, high, delta, p, str(scores.signature)])
    return text.getvalue().rstrip("\n")


def _best(info: MetricInfo, cells: Mapping[str, Cell]) -> set[str]:
    """Return which of the systems have the best score."""
    values = {name: cell.scores.corpus for name, cell in cells.items()}
    top = max(values.values()) if info.higher_is_better else min(values.values())
    return {name for name, value in values.items() if value == top}


def _sheet(found: Comparison) -> Sheet:
    columns = [column for place in range(len(found.metrics)) for column in _columns(found, place)]
    rows = []
    for place, row in enumerate(found.rows):
        name = f"{row.system} (baseline)" if row.system == found.baseline else row.system
        rows.append([SheetCell(name), *(cells[place] for _, cells in columns)])
    heads = [head for head, _ in columns]
    return Sheet([SheetCell("system", "System"), *heads], rows, list(_legend(found)), list(_comments(found)))


def _columns(found: Comparison, place: int) -> Iterator[tuple[SheetCell, list[SheetCell]]]:
    """The columns of one metric: its score, or the parts that it shows instead, each with the cells of all systems."""
    info, label, cells = found.metrics[place], found.labels[place], [row.cells[place] for row in found.rows]
    columns = {label: cells}
    if info.columns:
        prefix = "" if label == info.name else f"{label} "
        columns = {f"{prefix}{part}": [cell.columns[n] for cell in cells] for n, part in enumerate(info.columns)}
    names = [row.system for row in found.rows]
    for title, column in columns.items():
        top = _best(info, dict(zip(names, column, strict=True)))
        head = SheetCell(f"{title} {info.arrow}", f"{latex_escaped(title)} {_ARROWS[info.arrow]}")
        yield head, [_shown(cell, info, name in top) for name, cell in zip(names, column, strict=True)]


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
    place = _place(names, baseline) if test else None
    judge = _Judge(intervals, test, place, resamples, seed)
    columns = [judge.cells(metric, column) for metric, column in zip(metrics, scores, strict=True)]
    rows = [ComparisonRow(name, cells) for name, cells in zip(names, zip(*columns, strict=True), strict=True)]
    labels = _labels(infos, specs)
    if test is None or place is None:
        return Comparison(infos, labels, tuple(rows), seed=seed)
    return Comparison(infos, labels, tuple(rows), names[place], test, resamples or RESAMPLES[test], seed)


def _place(names: Sequence[str], baseline: str | None) -> int:
    if baseline is not None and baseline not in names:
        raise UnknownName("baseline", baseline, names)
    return 0 if baseline is None else names.index(baseline)


@dataclass(frozen=True, slots=True)
class _Judge:
    """Puts the scores of all systems under one metric into cells, with intervals and tests if asked for."""

    intervals: bool
    test: PairedTest | None
    baseline: int | None
    resamples: int
    seed: int

    def cells(self, metric: Metric | SetMetric, column: Sequence[Scores]) -> list[Cell]:
        """Return one cell per system; the parts that a table shows by themselves are judged like the score."""
        names = metric.info.columns
        parts = [self._judged(metric, [_part(scores, name) for scores in column]) for name in names]
        cells = self._judged(metric, column)
        return [replace(cell, columns=tuple(part[row] for part in parts)) for row, cell in enumerate(cells)]

    def _judged(self, metric: Metric | SetMetric, column: Sequence[Scores]) -> list[Cell]:
        other = None if self.baseline is None else column[self.baseline]
        return [Cell(scores, self._interval(metric, scores), self._paired(metric, scores, other)) for scores in column]

    def _interval(self, metric: Metric | SetMetric, scores: Scores) -> Interval | None:
        return interval(metric, scores, seed=self.seed) if self.intervals or scores.interval else None

    def _paired(self, metric: Metric | SetMetric, scores: Scores, other: Scores | None) -> Paired | None:
        if self.test is None or other is None or scores is other:
            return None
        return paired_test(metric, other, scores, self.test, self.resamples, self.seed)


def _part(scores: Scores, name: str) -> Scores:
    """Return the scores of a part that has one value per pair."""
    values = np.asarray(scores.parts[name])
    return replace(scores, corpus=float(values.mean()), segments=values, parts={}, statistics=None, interval=None)


def _labels(infos: Sequence[MetricInfo], specs: Sequence[str] | None) -> tuple[str, ...]:
    names = [info.name for info in infos]
    return tuple(
        name if names.count(name) == 1 or specs is None else spec
        for name, spec in zip(names, specs or names, strict=True)
    )
