"""From a comparison in memory to what a report shows of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from farthing.core.types import MetricInfo, Pairs
from farthing.report.page.content import ReportContent, ReportedScore, ReportMeasure
from farthing.report.page.sentences import pair_tests, test_sentences
from farthing.scoring.cells import Cell
from farthing.scoring.comparison import Comparison, usual_digits


def comparison_content(found: Comparison, texts: Sequence[Pairs], title: str) -> ReportContent:
    """Return what a report shows of a comparison and the texts that were compared."""
    columns = [
        (measure, {row.system: cell for row, cell in zip(found.rows, cells, strict=True)})
        for place in range(len(found.metrics))
        for measure, cells in _measures(found, place)
    ]
    results = found.to_dict()
    return ReportContent(
        title=title,
        systems=[row.system for row in found.rows],
        measures=[measure for measure, _ in columns],
        scores={
            (system, measure.label): _reported(cell) for measure, cells in columns for system, cell in cells.items()
        },
        texts=texts,
        baselines=frozenset() if found.baseline is None else frozenset([found.baseline]),
        sentences=test_sentences(results),
        pair_tests=pair_tests(results),
    )


def _measures(found: Comparison, place: int) -> Iterator[tuple[ReportMeasure, list[Cell]]]:
    """Yield the columns of a metric: one, or one per part that tables show in its place."""
    info, label = found.metrics[place], found.labels[place]
    cells = [row.cells[place] for row in found.rows]
    if not info.columns:
        yield _measure(label, info, cells), cells
        return
    prefix = "" if label == info.name else f"{label} "
    for part, name in enumerate(info.columns):
        shown = [cell.columns[part] for cell in cells]
        yield _measure(f"{prefix}{name}", info, shown), shown


def _measure(label: str, info: MetricInfo, cells: Sequence[Cell]) -> ReportMeasure:
    digits = usual_digits(info, [cell.scores.corpus for cell in cells])
    return ReportMeasure(label, info, str(cells[0].scores.signature), digits)


def _reported(cell: Cell) -> ReportedScore:
    scores = cell.scores
    return ReportedScore(
        scores.corpus,
        None if cell.interval is None else (cell.interval.low, cell.interval.high),
        None if cell.paired is None else cell.paired.p_value,
        scores.segments,
        {name: part for name, part in scores.parts.items() if isinstance(part, float)},
        list(map(str, scores.notes)),
    )
