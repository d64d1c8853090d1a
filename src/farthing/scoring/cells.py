"""One system under one metric, and what a line of results says of it."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from farthing.core.types import Scores
from farthing.scoring.resampling import LEVEL, Interval, Paired

SUMMARY = ("system", "metric", "corpus", "ci_low", "ci_high", "difference", "p_value", "signature")


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


def part_scores(scores: Scores, name: str) -> Scores:
    """Return the scores of a part that has one value per pair, or its mean if the values are not kept."""
    values = scores.parts[name]
    if not isinstance(values, np.ndarray):
        return replace(scores, corpus=values, parts={}, statistics=None, interval=None, draws=None)
    return replace(scores, corpus=float(values.mean()), segments=values, parts={}, statistics=None, interval=None)


def cell_record(cell: Cell) -> dict[str, object]:
    """Return everything of a cell as plain values."""
    interval = {"ci": [cell.interval.low, cell.interval.high]} if cell.interval else {}
    test = {"difference": cell.paired.difference, "p_value": cell.paired.p_value} if cell.paired else {}
    return {**cell.scores.to_dict(), **interval, **test}


def summary_lines(rows: Sequence[ComparisonRow]) -> list[tuple[object, ...]]:
    """Return one line per system and metric, in the order of `SUMMARY`; None if there is no such value."""
    return [_line(row.system, cell) for row in rows for cell in row.cells]


def _line(system: str, cell: Cell) -> tuple[object, ...]:
    low, high = (cell.interval.low, cell.interval.high) if cell.interval else (None, None)
    delta, p = (cell.paired.difference, cell.paired.p_value) if cell.paired else (None, None)
    scores = cell.scores
    return system, scores.metric, scores.corpus, low, high, delta, p, str(scores.signature)


def summary_csv(rows: Sequence[ComparisonRow]) -> str:
    """Format one line per system and metric as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(SUMMARY)
    writer.writerows(summary_lines(rows))
    return text.getvalue().rstrip("\n")
