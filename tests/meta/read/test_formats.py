"""One door to all formats: each is recognised by its first row or as a folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from farthing.core.errors import InputError, UnknownName
from farthing.meta.read.formats import only_prefers, read_judgements
from farthing.meta.read.human import HumanColumns, read_table
from farthing.meta.read.mqm import read_mqm
from farthing.meta.read.preferences import read_preferences
from farthing.meta.read.wmt import read_folder

Write = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def make(name: str, *lines: str) -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(line + "\n" for line in lines))
        return str(path)

    return make


@pytest.fixture
def table(write: Write, outputs: list[tuple[int, dict[str, object]]]) -> str:
    """Outputs whose score is their line."""
    return write("human.jsonl", *(json.dumps({**row, "score": number}) for number, row in outputs))


PREFERENCES = ("better\tworse\treference", "good\tbad\tr")


def test_a_table(table: str) -> None:
    found = read_judgements(table)
    assert found.judged().tolist() == read_table(table).judged().tolist() == [1, 2, 3, 4, 5, 6, 7, 8]
    assert not only_prefers(table)


def test_columns_and_groups_are_passed_on(table: str) -> None:
    found = read_judgements(table, HumanColumns(group="system", scores=("segment_id",)), groups=["B*"])
    assert found.group_names == ["B"]
    assert found.judged().tolist() == [1, 2]  # the same outputs in both language pairs
    with pytest.raises(UnknownName, match="unknown group 'fi-en'"):
        read_judgements(table, groups=["fi-en"])


def test_errors_of_experts(write: Write) -> None:
    path = write(
        "mqm.tsv",
        "system\tseg_id\trater\tsource\ttarget\tcategory\tseverity",
        "A\t1\tr1\ts\tthe <v>cat</v>\tAccuracy/Mistranslation\tMajor",
        "A\t1\tr2\ts\tthe cat\tno-error\tno-error",
    )
    references = write("ref.txt", "the dog")
    found = read_judgements(path, references=references)
    assert (found.texts.candidates, found.texts.references) == (["the cat"], [("the dog",)])
    assert found.judged("mqm").tolist() == [-2.5] == read_mqm(path, references).judged().tolist()
    assert not only_prefers(path)


def test_better_and_worse_texts(write: Write) -> None:
    path = write("rr.tsv", *PREFERENCES)
    assert only_prefers(path)
    found = read_judgements(path)
    assert (found.systems, found.judged().tolist()) == (("better", "worse"), [1, 0])
    assert found.texts.candidates == read_preferences(path).texts.candidates == ["good", "bad"]


def test_better_and_worse_systems_of_outputs_that_are_elsewhere(table: str, write: Write) -> None:
    named = write("rr.tsv", "lp\tsegment\tbetter\tworse", "cs-en\t2\tB\tA")
    found = read_judgements(table, preferences=named)
    assert (found.texts.candidates, found.group_names) == (["B2", "A2"], ["cs-en"])


def test_scores_of_a_second_table_replace_those_of_the_first(table: str, write: Write) -> None:
    scores = write("da.tsv", "lp\tsystem\tsegment\tda\tz", *(f"{lp}\tA\t1\t70\t0.5" for lp in ("de-en", "cs-en")))
    found = read_judgements(table, HumanColumns(scores=("z",)), judgements=scores)
    assert list(found.scores) == ["z"]
    assert found.judged().tolist() == pytest.approx([0.5, *[float("nan")] * 3] * 2, nan_ok=True)
    assert "6 outputs have no score" in str(found.notes[0])


def test_a_folder_as_wmt_publishes_it(write: Write, tmp_path: Path) -> None:
    write("wmt/system-outputs/de-en/A.txt", "one", "two")
    write("wmt/references/de-en.refA.txt", "eins", "zwei")
    folder = str(tmp_path / "wmt")
    found = read_judgements(folder)
    assert found.texts.candidates == read_folder(folder, HumanColumns()).texts.candidates == ["one", "two"]
    assert found.group_names == ["de-en"]
    assert not only_prefers(folder)


def test_an_empty_or_absent_file_is_an_error(write: Write, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="empty"):
        read_judgements(write("empty.jsonl"))
    with pytest.raises(InputError, match=r"none.jsonl: no such file"):
        read_judgements(str(tmp_path / "none.jsonl"))
