"""The result of scoring: systems by metrics, with intervals and tests, printed in every usual form."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from farthing.core.arrays import Indices
from farthing.core.errors import UnknownName
from farthing.core.metric import Metric, SetMetric
from farthing.core.records import ResultColumn, arrow_table, pandas_frame
from farthing.core.types import MetricInfo, Scores
from farthing.core.version import __version__
from farthing.scoring.cells import (
    SUMMARY,
    Cell,
    ComparisonRow,
    cell_record,
    part_scores,
    summary_csv,
    summary_lines,
)  # fmt: skip
from farthing.scoring.resampling import RESAMPLES, SEED, Interval, PairedTest
from farthing.tables.sheet import Sheet, SheetCell, latex_escaped, sheet_html, sheet_latex, sheet_markdown, sheet_text

if TYPE_CHECKING:
    import pandas
    import pyarrow

    from farthing.scoring.findings import Findings

SAME = "≈"  # not significantly different from the baseline
_ARROWS = {"↑": r"$\uparrow$", "↓": r"$\downarrow$"}
PrintedForm: TypeAlias = Literal["table", "json", "csv", "latex", "markdown"]
RowKind: TypeAlias = Literal["system", "segment"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Systems by metrics; without a test if only scores were asked for.

    :param labels: what to call each metric: its name, or its spec if two metrics share a name
    :param findings: what is said beside the table of a test
    """

    metrics: tuple[MetricInfo, ...]
    labels: tuple[str, ...]
    rows: tuple[ComparisonRow, ...]
    baseline: str | None = None
    test: str | None = None
    resamples: int = 0
    seed: int = SEED
    findings: Findings | None = None

    def best(self, column: int) -> set[str]:
        """The systems with the best score under a metric."""
        higher = self.metrics[column].higher_is_better
        values = {row.system: row.cells[column].scores.corpus for row in self.rows}
        top = max(values.values()) if higher else min(values.values())
        return {name for name, value in values.items() if value == top}

    def printed(
        self, form: PrintedForm = "table", *, color: bool = False, width: int | None = None, digits: int | None = None
    ) -> str:
        """The whole as text in one of the usual forms.

        :param color: set the best score of each metric in bold, in a table
        :param width: how many characters fit into a line of a table; a wider one is folded
        :param digits: how many decimals scores have, but for JSON and CSV, which have all; by default as the scale asks
        """
        if form == "table":
            return sheet_text(_sheet(self, digits), color=color, width=width)
        if form == "json":
            return json.dumps(self.to_dict(), ensure_ascii=False, indent=1)
        if form == "csv":
            return summary_csv(self.rows)
        return {"latex": sheet_latex, "markdown": sheet_markdown}[form](_sheet(self, digits))

    def __str__(self) -> str:
        return self.printed()

    def _repr_html_(self) -> str:
        return sheet_html(_sheet(self))

    def to_dict(self) -> dict[str, object]:
        """Everything as plain values: what `--format json` prints."""
        about = {"name": self.test, "baseline": self.baseline, "resamples": self.resamples, "seed": self.seed}
        test = {"test": about} if self.test else {}
        findings = {"findings": self.findings.to_dict()} if self.findings else {}
        return {"farthing": __version__, **test, "results": self.results(), **findings}

    def results(self) -> list[dict[str, object]]:
        """One entry per system and metric, as plain values."""
        return [cell_record(cell) for row in self.rows for cell in row.cells]

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
            lines = summary_lines(self.rows)
            return {name: [line[place] for line in lines] for place, name in enumerate(SUMMARY)}
        from farthing.scoring.segments import segment_columns

        return {**segment_columns({row.system: [cell.scores for cell in row.cells] for row in self.rows})}

    def to_arrow(self, per: RowKind = "system") -> pyarrow.Table:
        """Return an Arrow table with one row per system and metric, or one per system and segment."""
        return arrow_table(self.columns(per))

    def to_pandas(self, per: RowKind = "system") -> pandas.DataFrame:
        """Return a pandas frame with one row per system and metric, or one per system and segment."""
        return pandas_frame(self.columns(per))


def _spread(found: Comparison) -> Comparison:
    """The same with one metric per column of a table, several for a metric that shows parts instead of its score."""
    labels: list[str] = []
    for label, info in zip(found.labels, found.metrics, strict=True):
        prefix = "" if label == info.name else f"{label} "
        labels += [f"{prefix}{part}" for part in info.columns] or [label]
    infos = tuple(info for info in found.metrics for _ in info.columns or (info,))
    rows = [replace(row, cells=tuple(c for cell in row.cells for c in cell.columns or (cell,))) for row in found.rows]
    return replace(found, metrics=infos, labels=tuple(labels), rows=tuple(rows))


def _sheet(found: Comparison, digits: int | None = None) -> Sheet:
    table = _spread(found)
    heads = [
        SheetCell(f"{label} {info.arrow}", f"{latex_escaped(label)} {_ARROWS[info.arrow]}")
        for label, info in zip(table.labels, table.metrics, strict=True)
    ]
    best = [table.best(place) for place in range(len(table.metrics))]
    columns = zip(table.metrics, zip(*(row.cells for row in table.rows), strict=True), strict=True)
    shown = [usual_digits(info, [cell.scores.corpus for cell in cells], digits) for info, cells in columns]
    rows = []
    for row in table.rows:
        name = f"{row.system} (baseline)" if row.system == found.baseline else row.system
        cells = zip(row.cells, shown, best, strict=True)
        rows.append([SheetCell(name), *(_shown(cell, count, row.system in top) for cell, count, top in cells)])
    return Sheet([SheetCell("system", "System"), *heads], rows, list(_legend(found, digits)), list(_comments(found)))


def _shown(cell: Cell, digits: int, best: bool) -> SheetCell:
    value = f"{cell.scores.corpus:.{digits}f}"
    text, latex = value, rf"\textbf{{{value}}}" if best else value
    if cell.interval:
        ends = f"[{cell.interval.low:.{digits}f}, {cell.interval.high:.{digits}f}]"
        text, latex = f"{text} {ends}", rf"{latex} {{\scriptsize {ends}}}"
    if cell.paired:
        p = cell.paired.p_value
        text += f" {'' if cell.significant else SAME}" + (f"p={p:.3f}" if p >= 0.001 else "p<0.001")
    return SheetCell(text, latex + (r"$^\dagger$" if cell.paired and cell.significant else ""), best)


def score_text(value: float, info: MetricInfo, digits: int | None = None) -> str:
    """A score with the decimals that its scale asks for, unless their number is given."""
    return f"{value:.{usual_digits(info, [value], digits)}f}"


def usual_digits(info: MetricInfo, values: Sequence[float], digits: int | None = None) -> int:
    """Two decimals for scales that go to 100 and for percentages, four for scales that end near 1.

    Without a bound (distances of sets, log-likelihoods), four if all values are below ten.
    """
    low, top = info.range
    if digits is not None:
        return digits
    if top is not None:
        return 4 if top < 10 else 2
    percentage = low == 0 and info.level == "segment"
    return 2 if percentage or any(abs(value) >= 10 for value in values) else 4


def _legend(found: Comparison, digits: int | None = None) -> Iterator[str]:
    yield ""
    if found.findings:
        yield from found.findings.tests(f"against {found.baseline}", found.test, found.resamples, found.seed)
    levels = {info.name: info.level == "segment" for info in found.metrics}
    by_pair = {scores.metric: levels[scores.metric] for scores in _with_interval(found)}
    if any(by_pair.values()):
        one_pass = any(scores.segments is None for scores in _with_interval(found) if by_pair[scores.metric])
        drawn = ", drawn in one pass" if one_pass else ""
        yield f"In brackets the 95 % bootstrap interval (1000 samples, seed {found.seed}{drawn})."
    if sets := sorted(metric for metric, has_segments in by_pair.items() if not has_segments):
        yield f"In brackets the 95 % interval; the pages of {', '.join(sets)} say how it is found (seed {found.seed})."
    if found.findings:
        yield from found.findings.lines(score_text)
    for row in found.rows:
        for cell, info in zip(row.cells, found.metrics, strict=True):
            if shown := [f"{name} {score_text(float(cell.scores.parts[name]), info, digits)}" for name in info.shown]:
                yield f"{row.system}, {info.name}: {', '.join(shown)}"
    for cell in found.rows[0].cells:
        yield str(cell.scores.signature)
    for row in found.rows:
        for cell in row.cells:
            for note in cell.scores.notes:
                yield f"note: {row.system}, {cell.scores.metric}: {note}"


def _with_interval(found: Comparison) -> list[Scores]:
    return [cell.scores for row in found.rows for cell in row.cells if cell.interval]


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
    documents: Indices | None = None,
    all_pairs: bool = False,
) -> Comparison:
    """Put scores[metric][system] side by side.

    :param specs: what the metrics were loaded from; a metric whose name another one has is called by it
    :param intervals: add 95 % intervals by resampling
    :param test: test every system against the baseline
    :param resamples: how many resamples the test draws; 0 takes the usual number
    :param documents: the number of each row's document; whole documents are resampled then
    :param all_pairs: test every system against every other, too
    """
    names = [found.system for found in scores[0]]
    infos = tuple(metric.info for metric in metrics)
    labels = _labels(infos, specs)
    place = _place(names, baseline)
    if not intervals and test is None:
        return Comparison(infos, labels, _rows([_plain(*one) for one in zip(infos, scores, strict=True)]), seed=seed)
    from farthing.scoring.intervals import ResamplingPlan, resample_columns

    plan = ResamplingPlan(test, place, resamples, seed, documents, all_pairs)
    columns, findings = resample_columns(metrics, scores, labels, specs or labels, plan)
    if test is None:
        return Comparison(infos, labels, _rows(columns), seed=seed, findings=findings)
    used = resamples or RESAMPLES[test]
    return Comparison(infos, labels, _rows(columns), names[place], test, used, seed, findings)


def _plain(info: MetricInfo, column: Sequence[Scores]) -> list[Cell]:
    """One metric's cells without resampling; only the intervals that the metric itself gives."""
    return [
        Cell(
            found,
            None if found.interval is None else Interval(found.corpus, *found.interval),
            columns=tuple(Cell(part_scores(found, name)) for name in info.columns),
        )
        for found in column
    ]


def _rows(columns: Sequence[Sequence[Cell]]) -> tuple[ComparisonRow, ...]:
    return tuple(ComparisonRow(cells[0].scores.system, cells) for cells in zip(*columns, strict=True))


def _place(names: Sequence[str], baseline: str | None) -> int:
    if baseline is not None and baseline not in names:
        raise UnknownName("baseline", baseline, names)
    return 0 if baseline is None else names.index(baseline)


def _labels(infos: Sequence[MetricInfo], specs: Sequence[str] | None) -> tuple[str, ...]:
    names = [info.name for info in infos]
    return tuple(
        name if names.count(name) == 1 or specs is None else spec
        for name, spec in zip(names, specs or names, strict=True)
    )
