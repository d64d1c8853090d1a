"""Groups of options that the commands of meta share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from farthing.app.cli.meta.options import DataOptions, PeopleOptions, ResultOptions, ScoreOptions, check_matrix
from farthing.core.errors import InputError, UsageError
from farthing.core.registry import DEFAULT
from farthing.report.results import Results
from farthing.tables.grid import NumberTable

Rows = list[dict[str, Any]]
RESULTS = Results([NumberTable("metric", ["a"], [("x", [0.5])])], {"value": 0.5}, ["a note"])


def test_columns_are_guessed_or_named(data: str, rows: Rows) -> None:
    guessed = DataOptions(data).read(PeopleOptions())
    assert guessed.group_names == ["cs-en", "de-en"]
    assert list(guessed.scores) == ["score", "scores.fluency"]
    found = DataOptions(data, by="none", groups="all", candidate="reference", reference="candidate,reference").read(
        PeopleOptions("label")
    )
    assert found.group_names == ["all"]
    assert found.judged().tolist() == [row["label"] for row in rows]
    assert found.texts.candidates == [row["reference"] for row in rows]
    assert found.texts.references[4] == (rows[4]["candidate"], rows[4]["reference"])


def test_groups_have_wildcards_and_commas(data: str) -> None:
    assert DataOptions(data, groups="d*").read(PeopleOptions()).group_names == ["de-en"]
    assert DataOptions(data, groups="de-en,cs-en").read(PeopleOptions()).group_names == ["cs-en", "de-en"]


def test_human_scores_may_be_in_another_file(data: str, write: Any) -> None:
    write("da.tsv", "lp\tsystem\tsegment\tda\tz", "cs-en\tS1\t0\t70\t0.5", "de-en\tS2\t1\t60\t0.25")
    found = DataOptions(data).read(PeopleOptions("z", "da.tsv"))
    assert list(found.scores) == ["z"]
    scored = {found.systems[row]: found.judged()[row] for row in range(len(found)) if found.judged()[row] > 0}
    assert scored == {"S1": 0.5, "S2": 0.25}


def test_references_of_errors_are_in_a_file_of_their_own(data: str, write: Any) -> None:
    head = "system\tseg_id\trater\tsource\ttarget\tcategory\tseverity"
    write("mqm.tsv", head, "A\t2\tr\ts\tthe cat\tStyle/Awkward\tMinor")
    write("ref.txt", "one", "two")
    found = DataOptions("mqm.tsv").read(PeopleOptions(ref="ref.txt"))
    assert (found.texts.references, found.judged().tolist()) == ([("two",)], [-1])


def test_a_column_that_is_missing_is_told_with_its_option(data: str) -> None:
    for wrong, words in {
        DataOptions(data, by="lang"): r"no column 'lang'.*--by",
        DataOptions(data, system="who"): r"no column 'who'.*--system",
        DataOptions(data, candidate="mt"): r"no column 'mt'",
    }.items():
        with pytest.raises(InputError, match=words):
            wrong.read(PeopleOptions())
    with pytest.raises(InputError, match=r"no column 'fame'.*--human"):
        DataOptions(data).read(PeopleOptions("fame"))


def test_scores_are_kept_in_the_users_cache_unless_a_folder_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda name: str(tmp_path / name))
    usual, own = ScoreOptions().store(), ScoreOptions(scores=tmp_path / "mine", fresh=True).store()
    assert (usual.folder, usual.fresh) == (tmp_path / "farthing" / "scores", False)
    assert (own.folder, own.fresh) == (tmp_path / "mine", True)


def test_metrics_and_score_files_are_gathered(data: str, rows: Rows, write: Any, tmp_path: Path) -> None:
    write("mine.txt", *(str(row["label"]) for row in rows))
    options = ScoreOptions("chrf(beta=3),bleu", ["mine=mine.txt", "d=mine.txt"], "mine,d", tmp_path / "kept")
    judged = DataOptions(data).read(PeopleOptions())
    found = options.gather(judged)
    assert [one.name for one in found] == ["chrf(beta=3)", "bleu", "mine", "d"]
    assert [one.higher_is_better for one in found] == [True, True, False, False]
    assert found[2].values.tolist() == [row["label"] for row in rows]
    assert {path.name.split("-")[0] for path in (tmp_path / "kept").iterdir()} == {"chrf", "bleu"}


def test_the_default_metric_is_wanted_only_without_files() -> None:
    assert list(map(str, ScoreOptions().specs())) == [DEFAULT]
    assert ScoreOptions(score_file=["a=b.txt"]).specs() == []


def test_results_are_written_and_shown(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    assert ResultOptions("csv", output=path).show(RESULTS) == "metric,a\nx,0.5"
    assert json.loads(path.read_text()) == {"value": 0.5}
    assert json.loads(ResultOptions("json").show(RESULTS)) == {"value": 0.5}
    assert ResultOptions().show(RESULTS).splitlines()[-1] == "a note"


def test_what_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    ResultOptions(output=tmp_path / "r.json").check([None, tmp_path / "a.png", tmp_path / "b.svg"])
    with pytest.raises(UsageError, match=r"results are written as \.json"):
        ResultOptions(output=tmp_path / "r.csv").check()
    with pytest.raises(UsageError, match="does not exist; make it first"):
        ResultOptions(output=tmp_path / "none" / "r.json").check()
    with pytest.raises(UsageError, match="unknown kind of picture"):
        ResultOptions().check([tmp_path / "a.png", tmp_path / "b.gif"])


def test_a_matrix_needs_a_test() -> None:
    check_matrix(None, "none")
    check_matrix(Path("m.png"), "williams")
    with pytest.raises(UsageError, match="--matrix shows p-values: name a test with --test"):
        check_matrix(Path("m.png"), "none")
