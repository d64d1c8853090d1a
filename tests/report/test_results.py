"""Results in all forms: text, CSV, LaTeX and JSON."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path

import pytest

from farthing.core.errors import OutputError, UsageError
from farthing.report.results import Results, check_results_path
from farthing.tables.grid import NumberTable

FIRST = NumberTable("metric", ["a", "b"], [("x_1", [1 / 3, None])], frozenset({(0, 0)}), ["below"])
SECOND = NumberTable("measure", ["c"], [("y", [2.0])])
RESULTS = Results([FIRST, SECOND], {"name": "Ärger", "values": [1 / 3, None]}, ["the end"])


def test_text_has_tables_then_notes() -> None:
    lines = RESULTS.printed().splitlines()
    assert lines[0].split() == ["metric", "a", "b"]
    assert lines[2].split() == ["x_1", "0.333*", "–"]
    assert lines[3] == "below"
    assert lines[4].split() == ["measure", "c"]
    assert lines[-1] == "the end"


def test_csv_has_all_digits_and_no_notes() -> None:
    parts = [list(csv.reader(part.splitlines())) for part in RESULTS.printed("csv").split("\n\n")]
    assert parts == [[["metric", "a", "b"], ["x_1", repr(1 / 3), ""]], [["measure", "c"], ["y", "2.0"]]]


def test_latex_has_notes_as_comments() -> None:
    text = RESULTS.printed("latex")
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == 2
    assert r"x\_1 & \textbf{0.333} & --" in text
    assert text.splitlines()[-1] == "% the end"


def test_json_is_the_document(tmp_path: Path) -> None:
    assert json.loads(RESULTS.printed("json")) == RESULTS.document
    RESULTS.write(tmp_path / "a.json")
    text = (tmp_path / "a.json").read_text(encoding="utf-8")
    assert text.endswith("}\n")
    assert "Ärger" in text
    assert json.loads(text) == RESULTS.document


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_what_json_cannot_hold_is_never_written(value: float, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("old")
    with pytest.raises(ValueError, match="not JSON compliant"):
        Results([], {"value": value}).write(tmp_path / "a.json")
    assert (tmp_path / "a.json").read_text() == "old"


def test_names_are_refused_early(tmp_path: Path) -> None:
    check_results_path(tmp_path / "a.JSON")
    with pytest.raises(UsageError, match=r"a.csv: results are written as .json"):
        check_results_path(tmp_path / "a.csv")
    with pytest.raises(UsageError, match="does not exist; make it first"):
        check_results_path(tmp_path / "no" / "a.json")
    with pytest.raises(OutputError, match="does not exist; make it first"):
        RESULTS.write(tmp_path / "no" / "a.json")
