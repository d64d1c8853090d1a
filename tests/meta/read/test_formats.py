"""One door to every format of judgements: each is recognised by its content."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from farthing.core.errors import InputError, UnknownName
from farthing.files.columns import Columns
from farthing.meta.read.formats import only_prefers, read_judgements
from farthing.meta.read.human import HumanColumns


def written(folder: Path, name: str, *rows: Mapping[str, object]) -> str:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def outputs(folder: Path) -> str:
    rows = [
        {"lp": lp, "system": system, "segment_id": 1, "reference": "r", "candidate": system, "score": place}
        for place, (lp, system) in enumerate([("de-en", "A"), ("de-en", "B"), ("cs-en", "A")])
    ]
    return written(folder, "outputs.jsonl", *rows)


def test_a_table_and_some_of_its_groups(tmp_path: Path) -> None:
    found = read_judgements(outputs(tmp_path))
    assert found.judged().tolist() == [0, 1, 2]
    assert read_judgements(outputs(tmp_path), groups=["de-*"]).systems == ("A", "B")
    with pytest.raises(UnknownName, match="unknown group"):
        read_judgements(outputs(tmp_path), groups=["fi-en"])


def test_scores_of_a_second_table_replace_those_of_the_outputs(tmp_path: Path) -> None:
    rows = [{"lp": "de-en", "system": name, "segment": 1, "fame": 7 + place} for place, name in enumerate("AB")]
    scores = written(tmp_path, "scores.jsonl", *rows)
    found = read_judgements(outputs(tmp_path), HumanColumns(scores=("fame",)), judgements=scores)
    assert found.judged("fame")[:2].tolist() == [7, 8]
    assert list(found.scores) == ["fame"]


def test_preferences_between_systems_or_texts(tmp_path: Path) -> None:
    table = written(tmp_path, "rr.jsonl", {"lp": "de-en", "segment": 1, "better": "B", "worse": "A"})
    found = read_judgements(outputs(tmp_path), preferences=table)
    assert (list(found.texts.candidates), found.judged().tolist()) == (["B", "A"], [1, 0])
    texts = written(tmp_path, "texts.jsonl", {"better": "good", "worse": "bad", "gold": "r", "x": "y"})
    found = read_judgements(texts, HumanColumns(Columns(reference=("x",))))
    assert (list(found.texts.candidates), [list(row) for row in found.texts.references]) == (
        ["good", "bad"],
        [["y"]] * 2,
    )
    assert [only_prefers(path) for path in (texts, table, outputs(tmp_path), str(tmp_path))] == [
        True,
        True,
        False,
        False,
    ]


def test_a_table_of_mqm_errors_with_references(tmp_path: Path) -> None:
    error = {"system": "A", "seg_id": 2, "rater": "x", "source": "s", "target": "a <v>b</v>", "category": "Style"}
    path = written(tmp_path, "mqm.jsonl", {**error, "severity": "Major"})
    references = tmp_path / "refs.txt"
    references.write_text("one\ntwo\n")
    found = read_judgements(path, references=str(references))
    assert (found.judged().tolist(), list(found.texts.candidates)) == ([-5], ["a b"])
    assert list(found.texts.references[0]) == ["two"]


def test_a_folder_of_wmt(tmp_path: Path) -> None:
    for name, line in {"mt-system": "c", "reference": "r", "human": "0.5"}.items():
        (tmp_path / f"DA.{name}.cs-en").write_text(f"{line}\n")
    found = read_judgements(str(tmp_path))
    assert (found.judged().tolist(), found.groups) == ([0.5], ("cs-en",))


def test_an_empty_table_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the file is empty"):
        read_judgements(written(tmp_path, "empty.jsonl"))
