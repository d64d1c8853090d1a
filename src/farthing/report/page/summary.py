"""The table of systems and measures, in the forms of every other table."""

from __future__ import annotations

from dataclasses import dataclass

from farthing.core.digest import digest
from farthing.report.page.content import ReportContent, ReportMeasure
from farthing.scoring.findings import SAME
from farthing.scoring.resampling import LEVEL
from farthing.tables.grid import MISSING
from farthing.tables.sheet import Sheet, SheetCell, latex_escaped

_ARROWS = {"↑": r"$\uparrow$", "↓": r"$\downarrow$"}


@dataclass(frozen=True, slots=True)
class SummaryCell:
    """A cell for people: the score, and what is set small behind it."""

    score: str
    interval: str = ""
    p_value: str = ""
    best: bool = False
    value: float | None = None


def summary_cell(content: ReportContent, system: str, measure: ReportMeasure) -> SummaryCell:
    """Format one system under one measure."""
    score = content.scores.get((system, measure.label))
    if score is None:
        return SummaryCell(MISSING)
    digits, interval = measure.digits, ""
    if score.interval:
        interval = f"[{score.interval[0]:.{digits}f}, {score.interval[1]:.{digits}f}]"
    best = system in content.best(measure)
    return SummaryCell(f"{score.corpus:.{digits}f}", interval, p_text(score.p_value), best, score.corpus)


def p_text(p_value: float | None) -> str:
    """Return a p-value as tables print it; empty if there was no test."""
    if p_value is None:
        return ""
    same = SAME if p_value >= LEVEL else ""
    return f"{same}p={p_value:.3f}" if p_value >= 0.001 else "p<0.001"


def system_name(content: ReportContent, system: str) -> str:
    """Return the name of a system, with a word if others were tested against it."""
    return f"{system} (baseline)" if system in content.baselines else system


def summary_sheet(content: ReportContent) -> Sheet:
    """Return the table that `farthing compare` prints, of all runs together."""
    heads = [
        SheetCell(f"{one.label} {one.info.arrow}", f"{latex_escaped(one.label)} {_ARROWS[one.info.arrow]}")
        for one in content.measures
    ]
    rows = [
        [SheetCell(system_name(content, system)), *(_sheet_cell(content, system, one) for one in content.measures)]
        for system in content.systems
    ]
    comments = [one.signature for one in content.measures]
    if content.baselines:
        names = " and ".join(sorted(content.baselines))
        comments.insert(0, rf"$\dagger$: significantly different from {names} (p < {LEVEL})")
    return Sheet([SheetCell("system", "System"), *heads], rows, comments=comments)


def _sheet_cell(content: ReportContent, system: str, measure: ReportMeasure) -> SheetCell:
    cell = summary_cell(content, system, measure)
    if cell.value is None:
        return SheetCell(MISSING, "--")
    score = content.scores[system, measure.label]
    latex = rf"\textbf{{{cell.score}}}" if cell.best else cell.score
    latex += rf" {{\scriptsize {cell.interval}}}" if cell.interval else ""
    significant = score.p_value is not None and score.p_value < LEVEL
    text = " ".join(filter(None, (cell.score, cell.interval, cell.p_value)))
    return SheetCell(text, latex + (r"$^\dagger$" if significant else ""), cell.best)


def citation_line(content: ReportContent) -> str:
    """Return one sentence to copy into a paper: which program, which metrics, which settings."""
    version = content.measures[0].signature.rpartition("farthing:")[2]
    signatures = "; ".join(one.signature for one in content.measures)
    return f"Scores were computed with Farthing {version} ({signatures})."


def content_digest(content: ReportContent) -> str:
    """Return a few digits that tell whether two reports show the same scores."""
    told = [f"{system}|{label}|{score.corpus!r}" for (system, label), score in sorted(content.scores.items())]
    return digest("\n".join([*told, *(one.signature for one in content.measures)]))
