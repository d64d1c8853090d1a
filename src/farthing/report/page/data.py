"""The data inside the page: about the run, numbers, texts in blocks, alignments; as much as the size allows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from farthing.core.arrays import Floats, Indices
from farthing.report.page.content import ReportContent, ReportMeasure
from farthing.report.page.packing import BLOCK, NONE, Scale, packed, packed_numbers, packed_rows
from farthing.report.page.rows import marked_measures, page_alignments, page_rows
from farthing.report.page.summary import p_text
from farthing.scoring.alignments import differing_rows

MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class PageData:
    """What the scripts of the page read.

    :param about: JSON that says what the rest is
    :param numbers: the lengths of the references, then the scores of every measure and system
    :param chosen: the numbers of the rows; empty if all are there
    """

    about: str
    numbers: str
    blocks: Sequence[str]
    alignments: str = ""
    chosen: str = ""
    partial: str = ""

    @property
    def size(self) -> int:
        """How many bytes the data take in the page."""
        return sum(map(len, (self.about, self.numbers, self.alignments, self.chosen, *self.blocks)))


def page_data(content: ReportContent, lengths: Indices, budget: float) -> PageData:
    """Pack all segments; if they are larger than the budget, those in which the systems differ most.

    :param lengths: the number of words of every row's reference
    :param budget: in megabytes
    """
    found = _packed(content, lengths, np.arange(content.rows))
    count = content.rows
    while found.size > budget * MEGABYTE and count > 1:
        count = max(1, min(count - 1, int(0.97 * count * budget * MEGABYTE / found.size)))
        found = _packed(content, lengths, _most_telling(content, count), budget)
    return found


def _most_telling(content: ReportContent, count: int) -> Indices:
    measure = content.segment_measures()[0]
    scores = [column for column in _columns(content, measure) if np.isfinite(column).any()]
    return differing_rows(scores, count, higher_is_better=measure.info.higher_is_better)


def _packed(content: ReportContent, lengths: Indices, rows: Indices, budget: float = 0) -> PageData:
    measures, partial = content.segment_measures(), len(rows) < content.rows
    columns = [[one[rows] for one in _columns(content, measure)] for measure in measures]
    scales = [Scale.of(some, measure.digits) for some, measure in zip(columns, measures, strict=True)]
    numbers = [scale.numbers(one) for scale, some in zip(scales, columns, strict=True) for one in some]
    aligned = page_alignments(content, rows)
    why = f"Showing {len(rows):,} of {content.rows:,} segments, because all of them would make this file larger than "
    which = "those in which the systems differ most" if len(content.texts) > 1 else "those with the worst scores"
    first = f"by {measures[0].label}" if measures else ""
    return PageData(
        about=_about(content, measures, scales, columns, len(rows), partial),
        numbers=packed_numbers([np.minimum(lengths[rows], NONE - 1).astype("<u2"), *numbers]),
        blocks=packed_rows(page_rows(content, rows)),
        alignments=packed(json.dumps(aligned, ensure_ascii=False, separators=(",", ":")).encode()) if aligned else "",
        chosen=packed(json.dumps((rows + 1).tolist(), separators=(",", ":")).encode()) if partial else "",
        partial=f"{why}{budget:g} MB (--max-size): {which} {first}. Tables and charts count all." if partial else "",
    )


def _columns(content: ReportContent, measure: ReportMeasure) -> list[Floats]:
    """Return the scores of every system that has texts; NaN for one that the measure has not scored."""
    found = [content.scores.get((pairs.system, measure.label)) for pairs in content.texts]
    return [
        np.full(content.rows, np.nan) if one is None or one.segments is None else np.asarray(one.segments, dtype=float)
        for one in found
    ]


def _about(
    content: ReportContent,
    measures: Sequence[ReportMeasure],
    scales: Sequence[Scale],
    columns: Sequence[Sequence[Floats]],
    count: int,
    partial: bool,
) -> str:
    labels = [one.label for one in measures]
    told = {
        "systems": [pairs.system for pairs in content.texts],
        "measures": [
            {
                "label": measure.label,
                "higher": measure.info.higher_is_better,
                "digits": scale.digits,
                "low": scale.low,
                "range": _range(some),
                "corpus": [_corpus(content, pairs.system, measure) for pairs in content.texts],
                "tests": _tests(content, measure),
            }
            for measure, scale, some in zip(measures, scales, columns, strict=True)
        ],
        "count": count,
        "block": BLOCK,
        "chosen": partial,
        "marked": [labels.index(label) for label in marked_measures(content) if label in labels],
    }
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _range(columns: Sequence[Floats]) -> list[float]:
    """Return the lowest and the highest score, with a margin, for the axes of the scatter plot."""
    values = np.concatenate([one[np.isfinite(one)] for one in columns])
    if not values.size:
        return [0.0, 1.0]
    low, high = float(values.min()), float(values.max())
    margin = 0.02 * (high - low) or 0.5
    return [round(low - margin, 6), round(high + margin, 6)]


def _corpus(content: ReportContent, system: str, measure: ReportMeasure) -> str | None:
    score = content.scores.get((system, measure.label))
    return None if score is None else f"{score.corpus:.{measure.digits}f}"


def _tests(content: ReportContent, measure: ReportMeasure) -> list[tuple[str, str, str, str]]:
    """Return what is known of the difference of two systems: two names, the p-value and how it was tested."""
    found = [
        (one.better, one.worse, p_text(one.p_value), "test, corrected for all pairs")
        for one in content.pair_tests
        if one.measure == measure.label
    ]
    if found or len(content.baselines) != 1:
        return found
    [baseline] = content.baselines
    rest = [(name, content.scores.get((name, measure.label))) for name in content.systems if name != baseline]
    known = [(name, score.p_value) for name, score in rest if score is not None and score.p_value is not None]
    return [(baseline, name, p_text(p_value), "test") for name, p_value in known]
