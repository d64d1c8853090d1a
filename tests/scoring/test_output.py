"""Where scores go: a table of segments, a folder, or a sentence that says why not."""

from __future__ import annotations

from pathlib import Path

import pytest

from farthing.core.errors import OutputError, UsageError
from farthing.scoring.output import Target
from farthing.scoring.score import choose


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
