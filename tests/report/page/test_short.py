"""The short form."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from farthing.files.run import Run
from farthing.report.page.gather import run_content
from farthing.report.page.short import code_text, github_report, markdown_report
from farthing.report.page.studies import document_sections
from farthing.report.page.summary import summary_sheet
from farthing.tables.sheet import sheet_markdown


def test_markdown_has_table_segments_and_signatures(tested_run: Run) -> None:
    content = run_content(tested_run)
    text = markdown_report(content)
    assert sheet_markdown(summary_sheet(content)) in text
    assert "### Segments that differ most by frugalscore" in text
    assert all(one.signature in text for one in content.measures)


def test_github_folds_what_is_long(tested_run: Run) -> None:
    text = github_report(run_content(tested_run))
    assert text.count("<details>") == text.count("</details>") == 3
    assert text.index("| system |") < text.index("<details>")


def test_a_contradiction_is_not_folded(tested_run: Run) -> None:
    from dataclasses import replace

    content = replace(run_content(tested_run), sentences=["The metrics contradict each other about x: read.", "fine"])
    text = github_report(content)
    assert "> [!WARNING]\n> The metrics contradict each other about x: read." in text
    assert text.count("contradict") == 1


def test_studies_are_tables(tested_run: Run) -> None:
    study = document_sections(
        {
            "kind": "bench",
            "plan": {"statistic": "pearson"},
            "rows": [{"label": "m", "data": "d", "seconds": 0.1, "memory": {"median": 1e6}, "quality": 0.5}],
            "fronts": [],
        }
    )
    assert "| m | 0.500 | 100.000 | 1.0 |" in markdown_report(run_content(tested_run), study)


def test_a_single_system_shows_its_worst_segments(make_run: Callable[..., Run]) -> None:
    assert "### Segments with the worst scores by chrf" in markdown_report(run_content(make_run("s", "chrf", ["one"])))


@pytest.mark.parametrize(
    ("text", "code"),
    [("a", "`a`"), ("a\n b", "`a b`"), ("", "` `"), ("`", "`` ` ``"), ("a ``b`` c", "``` a ``b`` c ```")],
)
def test_texts_are_code_in_which_nothing_has_a_meaning(text: str, code: str) -> None:
    assert code_text(text) == code
