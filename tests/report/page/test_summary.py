"""The table of systems and measures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from farthing.files.run import Run
from farthing.report.page.gather import run_content
from farthing.report.page.summary import (
    citation_line,
    content_digest,
    p_text,
    summary_cell,
    summary_sheet,
    system_name,
)  # fmt: skip
from farthing.scoring.score import choose, score
from farthing.tables.sheet import sheet_latex, sheet_markdown


def test_latex_and_markdown_are_those_of_compare(make_run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch) -> None:
    from farthing.files.inputs import Given

    run = make_run("same", "chrf,ter", ["one", "two"], test="bootstrap")
    expected = score(choose("chrf,ter"), Given(run.pairs()), test="bootstrap")
    sheet = summary_sheet(run_content(run))
    latex, theirs = sheet_latex(sheet), expected.printed("latex")
    assert latex.partition("\n%")[0] == theirs.partition("\n%")[0]
    assert sheet_markdown(sheet) == expected.printed("markdown").partition("\n\n")[0]


def test_a_system_without_a_score_has_a_dash(tested_run: Run) -> None:
    content = run_content(tested_run)
    partial = {key: one for key, one in content.scores.items() if key != ("two", "ter")}
    content = replace(content, scores=partial)
    assert summary_cell(content, "two", content.measures[2]).score == "–"
    assert " & -- \\\\" in sheet_latex(summary_sheet(content))
    assert system_name(content, "one") == "one (baseline)"


@pytest.mark.parametrize(("p", "text"), [(None, ""), (0.0001, "p<0.001"), (0.01, "p=0.010"), (0.2, "≈p=0.200")])
def test_p_values(p: float | None, text: str) -> None:
    assert p_text(p) == text


def test_the_citation_has_version_and_signatures(tested_run: Run) -> None:
    content = run_content(tested_run)
    line = citation_line(content)
    assert line.startswith("Scores were computed with Farthing ")
    assert all(one.signature in line for one in content.measures)
    assert content_digest(content) == content_digest(run_content(tested_run))
