"""Groups of options: what they read, keep and print."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from farthing.app.cli.meta.options import DataOptions, PeopleOptions, ResultOptions, ScoreOptions, check_matrix
from farthing.core.errors import UsageError
from farthing.report.results import Results
from farthing.tables.grid import NumberTable


def test_columns_and_groups_are_passed_on(tmp_path: Path) -> None:
    rows = [{"mt": "c", "r1": "x", "r2": "y", "who": "A", "where": place, "fame": 3} for place in ("up", "down")]
    path = tmp_path / "x.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = DataOptions(str(path), by="where", groups="d*", system="who", candidate="mt", reference="r1, r2")
    found = options.read(PeopleOptions(human="fame"))
    assert (found.groups, found.systems, found.judged().tolist()) == (("down",), ("A",), [3])
    assert list(found.texts.references[0]) == ["x", "y"]


def test_scores_are_kept_in_the_named_folder(tmp_path: Path) -> None:
    store = ScoreOptions(scores=tmp_path / "kept", fresh=True).store()
    assert (store.folder, store.fresh) == (tmp_path / "kept", True)
    assert ScoreOptions().store().folder is not None
    assert ScoreOptions(score_file=["a=b.txt"]).specs() == []


def test_results_are_written_and_printed(tmp_path: Path) -> None:
    options = ResultOptions("csv", tmp_path / "r.json")
    options.check([None, tmp_path / "a.png"])
    assert options.show(Results([NumberTable("m", ["a"], [("x", [1.0])])], {"kind": "k"})) == "m,a\nx,1.0"
    assert json.loads((tmp_path / "r.json").read_text()) == {"kind": "k"}
    with pytest.raises(UsageError, match="unknown kind of picture"):
        options.check([tmp_path / "a.gif"])


def test_a_matrix_needs_a_test() -> None:
    check_matrix(None, "none")
    check_matrix(Path("m.png"), "williams")
    with pytest.raises(UsageError, match="name a test with --test"):
        check_matrix(Path("m.png"), "none")
