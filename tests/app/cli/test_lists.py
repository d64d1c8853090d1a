"""What the choosing commands share: options, and what they write."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from farthing.app.cli.lists import ChoiceOptions, load_one
from farthing.core.errors import OutputError, UsageError
from farthing.core.signature import Signature
from farthing.core.types import Note
from farthing.scoring.choices import Choice, Choices

CHOICES = Choices(
    (Choice(("b", "a"), (2.0, 1.0), (1, 0), "x"), Choice(("c",), (3.0,), (0,))),
    Signature("chrf"),
    (Note("empty", "a text is empty", (1,)),),
)


def test_texts_are_lines_and_blocks() -> None:
    assert ChoiceOptions().written(Choices(CHOICES.rows[1:], CHOICES.signature), quiet=True) == "c"
    assert ChoiceOptions(top=2).written(CHOICES, quiet=True) == "b\na\n\nc"


def test_records_have_a_ranking_if_several_are_kept() -> None:
    printed = ChoiceOptions(form="jsonl").written(CHOICES, quiet=True)
    assert json.loads(str(printed).splitlines()[0]) == {"id": "x", "text": "b", "score": 2.0, "place": 1}
    printed = ChoiceOptions(form="jsonl", top=2).written(CHOICES, quiet=True)
    assert [row["text"] for row in json.loads(str(printed).splitlines()[0])["ranking"]] == ["b", "a"]


def test_notes_go_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    ChoiceOptions(top=2).written(CHOICES, quiet=False)
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines() == ["note: empty: a text is empty (row 2)", str(CHOICES.signature)]


def test_the_suffix_of_the_file_tells_the_form(tmp_path: Path) -> None:
    out = tmp_path / "best.jsonl"
    assert ChoiceOptions(output=out).written(CHOICES, quiet=True) is None
    assert json.loads(out.read_text().splitlines()[1])["text"] == "c"
    assert out.read_text().endswith("\n")


def test_an_input_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with pytest.raises(OutputError, match="is an input of this command"):
        ChoiceOptions(output=path).check(None, str(path))
    ChoiceOptions(output=path).check(None, str(tmp_path / "b.txt"))


def test_line_breaks_do_not_become_lines() -> None:
    broken = Choices((Choice(("a\nb",), (1.0,), (0,)),), Signature("chrf"))
    with pytest.raises(UsageError, match="segment 1 has a line break: use --format jsonl"):
        ChoiceOptions().written(broken, quiet=True)


def test_one_metric_chooses() -> None:
    assert load_one("chrf", None).info.name == "chrf"
    with pytest.raises(UsageError, match="2 metrics were given, but one chooses"):
        load_one("chrf,bleu", None)
