"""The short form of a report: Markdown for a pull request, or for the summary of a step in a pipeline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from farthing.report.page.content import ReportContent, ReportMeasure
from farthing.report.page.studies import StudySection
from farthing.report.page.summary import citation_line, summary_sheet
from farthing.scoring.alignments import differing_rows
from farthing.tables.grid import grid_markdown
from farthing.tables.sheet import sheet_markdown

LISTED = 3  #: segments that are shown


def markdown_report(content: ReportContent, studies: Sequence[StudySection] = ()) -> str:
    """Return the summary, what was found, and the segments that differ most, in plain Markdown."""
    parts = [f"## {content.title}", sheet_markdown(summary_sheet(content)), *content.sentences]
    parts += [f"### {one.title}\n\n{grid_markdown(one.table)}" for one in studies]
    parts += [_heading(content), *_segments(content)] if content.texts else []
    parts += ["### Signatures", _signatures(content), citation_line(content)]
    return "\n\n".join(filter(None, parts))


def github_report(content: ReportContent, studies: Sequence[StudySection] = ()) -> str:
    """Return the same for GitHub: what is long is folded."""
    parts = [f"## {content.title}", sheet_markdown(summary_sheet(content)), *_alerts(content)]
    quiet = [line for line in content.sentences if line not in _warnings(content)]
    parts += [_folded("What the tests found", quiet)] if quiet else []
    parts += [_folded(one.title, [grid_markdown(one.table)]) for one in studies]
    parts += [_folded(_heading(content).lstrip("# "), list(_segments(content)))] if content.texts else []
    parts += [_folded("Signatures", [_signatures(content), citation_line(content)])]
    return "\n\n".join(filter(None, parts))


def _warnings(content: ReportContent) -> list[str]:
    """Return the sentences that nobody should miss."""
    return [line for line in content.sentences if "contradict" in line or "incomplete" in line]


def _alerts(content: ReportContent) -> list[str]:
    return [f"> [!WARNING]\n> {line}" for line in _warnings(content)]


def _folded(title: str, parts: Sequence[str]) -> str:
    body = "\n\n".join(parts)
    return f"<details><summary>{title}</summary>\n\n{body}\n\n</details>" if body else ""


def _signatures(content: ReportContent) -> str:
    return "```\n" + "\n".join(one.signature for one in content.measures) + "\n```"


def _heading(content: ReportContent) -> str:
    several = "Segments that differ most" if len(content.texts) > 1 else "Segments with the worst scores"
    measures = content.segment_measures()
    return f"### {several} by {measures[0].label}" if measures else ""


def _segments(content: ReportContent) -> Iterator[str]:
    measures = content.segment_measures()
    if not measures:
        return
    for row in _telling(content, measures[0]):
        pairs = content.texts[0]
        named = f", {code_text(pairs.ids[row])}" if pairs.ids else ""
        lines = [f"**{row + 1}**{named}", ""]
        lines += [f"- reference: {code_text(text)}" for text in pairs.references[row][:1]]
        lines += [
            f"- {one.system} ({_score(content, one.system, measures[0], row)}): {code_text(one.candidates[row])}"
            for one in content.texts
        ]
        yield "\n".join(lines)


def _telling(content: ReportContent, measure: ReportMeasure) -> list[int]:
    """Return the rows that differ most, most first."""
    found = [content.scores.get((one.system, measure.label)) for one in content.texts]
    scores = [np.asarray(one.segments, dtype=float) for one in found if one is not None and one.segments is not None]
    rows = differing_rows(scores, LISTED, higher_is_better=measure.info.higher_is_better).tolist()
    return sorted(rows, key=lambda row: -float(np.ptp([one[row] for one in scores])))


def _score(content: ReportContent, system: str, measure: ReportMeasure, row: int) -> str:
    score = content.scores.get((system, measure.label))
    return "–" if score is None or score.segments is None else f"{score.segments[row]:.{measure.digits}f}"


def code_text(text: str) -> str:
    """Return a text as code on one line, in which nothing has a meaning: no markup, no names that notify people.

    >>> print(code_text("a `b` @c"))
    `` a `b` @c ``
    """
    line = " ".join(text.split()) or " "
    runs = [len(run) for run in "".join(letter if letter == "`" else " " for letter in line).split()]
    fence = "`" * (max(runs, default=0) + 1)
    return f"{fence} {line} {fence}" if runs else f"`{line}`"
