"""Results in every form, and files that are refused before the work is done."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from farthing.core.errors import UsageError
from farthing.report.results import Results, check_results_path
from farthing.tables.grid import NumberTable

TABLES = [NumberTable("metric", ["a"], [("x", [0.5])]), NumberTable("metric", ["b"], [("x", [None])])]
RESULTS = Results(TABLES, {"kind": "test", "value": 0.5}, ["a note"])


def test_tables_stand_below_each_other_with_the_notes_last() -> None:
    lines = RESULTS.printed().splitlines()
    assert [line.split()[0] for line in lines if "─" not in line] == ["metric", "x", "metric", "x", "a"]
    latex = RESULTS.printed("latex")
    assert latex.count(r"\toprule") == 2
    assert latex.endswith("\n% a note")
    assert RESULTS.printed("csv") == "metric,a\nx,0.5\n\nmetric,b\nx,"


def test_json_is_the_document_and_never_has_nan(tmp_path: Path) -> None:
    assert json.loads(RESULTS.printed("json")) == RESULTS.document
    RESULTS.write(tmp_path / "r.json")
    assert json.loads((tmp_path / "r.json").read_text()) == RESULTS.document
    with pytest.raises(ValueError, match="JSON"):
        Results([], {"value": float("nan")}).printed("json")


def test_only_json_files_in_folders_that_exist(tmp_path: Path) -> None:
    check_results_path(tmp_path / "r.json")
    with pytest.raises(UsageError, match=r"results are written as \.json"):
        check_results_path(tmp_path / "r.txt")
    with pytest.raises(UsageError, match="does not exist; make it first"):
        check_results_path(tmp_path / "no" / "r.json")
