"""Tables that hold several systems: by a column of systems, or by several columns of candidates."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from farthing.core.columns import Columns
from farthing.core.errors import InputError, UsageError
from farthing.files.inputs import Inputs
from farthing.files.long_tables import has_systems

SYSTEMS = ("one", "two", "three")
REFERENCES = ["a cat", "a dog", "a cat"]  # the same twice
ROWS = [
    {"system": system, "id": str(number), "mt": f"{system} {number}", "ref": reference}
    for number, reference in enumerate(REFERENCES)
    for system in SYSTEMS
]


def write(path: Path, rows: list[dict[str, str]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def without(rows: list[dict[str, str]], *columns: str) -> list[dict[str, str]]:
    return [{name: value for name, value in row.items() if name not in columns} for row in rows]


@pytest.mark.parametrize("columns", [(), ("id",), ("ref",), ("id", "ref")])
def test_systems_are_told_by_their_column(tmp_path: Path, columns: tuple[str, ...]) -> None:
    inputs = Inputs([write(tmp_path / "a.jsonl", without(ROWS, *columns))])
    assert inputs.names == list(SYSTEMS)
    for name, pairs in zip(SYSTEMS, inputs.pairs(), strict=True):
        assert pairs.system == name
        assert pairs.candidates == [f"{name} {number}" for number in range(3)]
        assert pairs.references == ([()] * 3 if "ref" in columns else [(text,) for text in REFERENCES])


@pytest.mark.parametrize("seed", range(5))
def test_rows_in_any_order_are_put_together_by_their_ids(tmp_path: Path, seed: int) -> None:
    rows = random.Random(seed).sample(ROWS, len(ROWS))
    pairs = {one.system: one for one in Inputs([write(tmp_path / "a.jsonl", rows)]).pairs()}
    numbers = [text.split()[-1] for text in pairs["one"].candidates]
    for name in SYSTEMS:
        assert pairs[name].candidates == [f"{name} {number}" for number in numbers]
        assert pairs[name].references == [(REFERENCES[int(number)],) for number in numbers]


def test_ids_that_count_all_rows_are_no_ids_of_segments(tmp_path: Path) -> None:
    rows = [{**row, "id": str(number)} for number, row in enumerate(sorted(ROWS, key=lambda row: row["system"]))]
    pairs = Inputs([write(tmp_path / "a.jsonl", rows)]).pairs()
    assert [one.system for one in pairs] == ["one", "three", "two"]
    assert all(one.references == pairs[0].references for one in pairs)


def test_references_of_other_files_belong_to_every_system(tmp_path: Path) -> None:
    (tmp_path / "ref.txt").write_text("x\ny\nz\n")
    pairs = Inputs([write(tmp_path / "a.jsonl", without(ROWS, "ref"))], [str(tmp_path / "ref.txt")]).pairs()
    assert all(one.references == [("x",), ("y",), ("z",)] for one in pairs)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ((), r"system 'two' lacks 1 of 3 segments \(1\)"),
        (("id",), r"system 'two' lacks 1 of 3 segments \('a dog'\)"),
        (("id", "ref"), "different numbers of rows: one has 3, two has 2, three has 3"),
    ],
)
def test_missing_segments_are_one_sentence(tmp_path: Path, columns: tuple[str, ...], message: str) -> None:
    rows = [row for row in ROWS if row["mt"] != "two 1"]
    with pytest.raises(InputError, match=message):
        Inputs([write(tmp_path / "a.jsonl", without(rows, *columns))])


def test_a_row_without_a_system_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="row 10 has no system"):
        Inputs([write(tmp_path / "a.jsonl", [*ROWS, {**ROWS[0], "system": ""}])])


def test_the_column_can_be_named_or_switched_off(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [{"team": row["system"], **without([row], "system")[0]} for row in ROWS])
    assert not has_systems(path, Columns())
    assert Inputs([path], columns=Columns(system="team")).names == list(SYSTEMS)
    path = write(tmp_path / "b.jsonl", ROWS)
    inputs = Inputs([path], columns=Columns(system="none"))
    assert inputs.names == [path]
    assert len(inputs.pairs()[0]) == 9
    with pytest.raises(InputError, match="no column 'group'"):
        Inputs([path], columns=Columns(system="group"))


def test_names_replace_those_of_the_table(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", ROWS)
    assert Inputs([path], names=["x", "y", "z"]).names == ["x", "y", "z"]
    with pytest.raises(UsageError, match="3 systems but 1 names"):
        Inputs([path], names=["x"])
    assert Inputs([path, write(tmp_path / "b.jsonl", ROWS)]).names[3] == f"{tmp_path / 'b.jsonl'}:one"


def test_several_columns_of_candidates_are_several_systems(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("mt1,mt2,ref\na,b,r\nc,d,s\n")
    for candidate in ("mt1,mt2", ["mt1", "mt2"]):
        inputs = Inputs.named([str(path)], candidate=candidate)
        assert inputs.names == ["mt1", "mt2"]
        first, second = inputs.pairs()
        assert (first.candidates, second.candidates) == (["a", "c"], ["b", "d"])
        assert first.references == second.references == [("r",), ("s",)]
    assert [one.generated for one in inputs.sets()] == [["a", "c"], ["b", "d"]]
    with pytest.raises(InputError, match="no column 'mt3'"):
        Inputs.named([str(path)], candidate="mt1,mt3").pairs()


def test_columns_and_a_column_of_systems_together_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="several columns of candidates and a column of systems"):
        Inputs.named([write(tmp_path / "a.jsonl", ROWS)], candidate="mt,ref")


def test_sets_of_a_long_table(tmp_path: Path) -> None:
    first, *_ = Inputs([write(tmp_path / "a.jsonl", ROWS)]).sets()
    assert (first.system, first.generated, first.corpus) == ("one", ["one 0", "one 1", "one 2"], REFERENCES)
