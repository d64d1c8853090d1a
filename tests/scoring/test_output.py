"""Where scores go: a table of segments, a folder, or a sentence that says why not."""

from __future__ import annotations

from pathlib import Path

import pytest

from farthing.core.errors import OutputError, UsageError
from farthing.core.types import Pairs
from farthing.files.inputs import Given
from farthing.scoring.output import Target
from farthing.scoring.score import choose, score


def test_a_folder_is_told_from_a_file(tmp_path: Path) -> None:
    metrics = choose("chrf")
    assert Target.of(f"{tmp_path}/run/", metrics).run == tmp_path / "run"
    assert Target.of(str(tmp_path / "run"), metrics).run == tmp_path / "run"
    assert Target.of(str(tmp_path / "scores.csv"), metrics).table == tmp_path / "scores.csv"


@pytest.mark.parametrize(
    ("text", "metrics", "kind", "message"),
    [
        ("scores.xls", "chrf", UsageError, "unknown kind of output"),
        ("scores.csv", "impar", UsageError, "no score per segment"),
        ("no/such/run/", "chrf", OutputError, "does not exist"),
    ],
)
def test_what_cannot_be_written_is_refused_before_the_work(
    tmp_path: Path, text: str, metrics: str, kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        Target.of(str(tmp_path / text) + ("/" if text.endswith("/") else ""), choose(metrics))


def test_texts_stand_beside_scores_and_missing_ones_are_left_out() -> None:
    systems = [Pairs(["a", "b"], [["a"], ["b", "c"]], None, ["x", "y"], name) for name in ("one", "two")]
    given = Given(systems)
    found = score(choose("chrf"), given)
    columns = Target(with_texts=True).columns(found, given)
    wanted = ["system", "row", "id", "candidate", "reference_1", "reference_2", "chrf", "signature"]
    assert list(columns) == wanted
    assert list(columns["reference_2"]) == [None, "c"] * 2
    assert list(columns["id"]) == ["x", "y"] * 2
    assert set(columns["signature"]) == {str(found.rows[0].cells[0].scores.signature)}
    assert list(Target().columns(found, given)) == ["system", "row", "chrf"]
