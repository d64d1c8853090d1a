"""`farthing report`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from farthing.app.cli.report import report
from farthing.app.cli.score import score
from farthing.app.cli.typed import run as typed_run
from farthing.core.errors import UsageError

TEXTS = {"a.txt": ["the cat sat", "it rains"], "b.txt": ["a cat sat", "rain"], "r.txt": ["the cat sat", "it rains now"]}


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, lines in TEXTS.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    typed_run(score, ["a.txt", "b.txt", "-r", "r.txt", "-m", "chrf,ter", "-o", "run/", "--ci"], "farthing score")
    return tmp_path


def test_a_page_is_written(stored: Path) -> None:
    said = typed_run(report, ["run/", "-o", "report.html", "--title", "My title"], "farthing report")
    assert said == "report.html: 0.1 MB"
    page = (stored / "report.html").read_text("utf-8")
    assert "<title>My title</title>" in page
    typed_run(report, ["run/", "-o", "again.html", "--title", "My title"], "farthing report")
    assert (stored / "again.html").read_bytes() == (stored / "report.html").read_bytes()


def test_the_short_form_is_printed_or_written(stored: Path) -> None:
    printed = typed_run(report, ["run/", "--format", "markdown"], "farthing report")
    assert printed is not None
    corpus = json.loads((stored / "run" / "results.json").read_text())["results"][0]["corpus"]
    assert f"| a.txt | **{corpus:.2f} [" in printed
    typed_run(report, ["run/", "-o", "short.md"], "farthing report")
    assert (stored / "short.md").read_text() == f"{printed}\n"
    github = typed_run(report, ["run/", "-f", "github"], "farthing report")
    assert "<details>" in str(github)


def test_a_page_needs_a_file(stored: Path) -> None:
    with pytest.raises(UsageError, match=r"-o report\.html"):
        typed_run(report, ["run/"], "farthing report")


def test_human_scores_are_shown(stored: Path) -> None:
    lines = [{"system": s, "row": r, "score": v} for s, r, v in (("a.txt", 1, 9), ("a.txt", 2, 5), ("b.txt", 2, 2))]
    (stored / "labels.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    printed = typed_run(report, ["run/", "-f", "markdown", "--judgements", "labels.jsonl"], "farthing report")
    assert "### Agreement with people: labels.jsonl" in str(printed)
