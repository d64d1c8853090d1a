"""Files read in step: columns, several references, stretches, and lengths that differ."""

from __future__ import annotations

import gc
import json
import tracemalloc
from pathlib import Path

import datasets
import pyarrow
import pyarrow.parquet
import pytest

import farthing
from farthing.core.errors import InputError, UsageError
from farthing.files.columns import Columns
from farthing.files.inputs import Inputs


def write(path: Path, *rows: str) -> str:
    path.write_text("".join(row + "\n" for row in rows), encoding="utf-8")
    return str(path)


def test_text_files_in_step(tmp_path: Path) -> None:
    a, b = write(tmp_path / "a.txt", "1", "2"), write(tmp_path / "b.txt", "x", "y")
    refs = [write(tmp_path / "r1.txt", "r", "s"), write(tmp_path / "r2.txt", "t", "u")]
    first, second = Inputs([a, b], refs, write(tmp_path / "s.txt", "q", "")).pairs()
    assert (first.candidates, second.candidates) == (["1", "2"], ["x", "y"])
    assert first.references == second.references == [("r", "t"), ("s", "u")]
    assert first.sources == ["q", ""]
    assert (first.system, second.system) == (a, b)


def test_columns_are_guessed_and_can_be_named(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", "Src\tMT\tref1\tref2\tother", "s\tm\tr\tq\to")
    [pairs] = Inputs([path]).pairs()
    assert (pairs.candidates, pairs.references, pairs.sources) == (["m"], [("r", "q")], ["s"])
    [pairs] = Inputs([path], columns=Columns(candidate="other", reference=("ref2",), source="MT")).pairs()
    assert (pairs.candidates, pairs.references, pairs.sources) == (["o"], [("q",)], ["m"])


def test_number_of_references_may_vary(tmp_path: Path) -> None:
    rows = [{"hypothesis": "a", "references": ["b"]}, {"hypothesis": "c", "references": ["d", "e"]}]
    [pairs] = Inputs([write(tmp_path / "a.jsonl", *map(json.dumps, rows))]).pairs()
    assert pairs.references == [("b",), ("d", "e")]
    pyarrow.parquet.write_table(
        pyarrow.table({"mt": ["a", "c"], "ref1": ["b", "d"], "ref2": [None, "e"]}), tmp_path / "a.parquet"
    )
    [pairs] = Inputs([str(tmp_path / "a.parquet")]).pairs()
    assert pairs.references == [("b",), ("d", "e")]


def test_datasets_and_lists_of_dicts() -> None:
    rows = [{"prediction": "a", "references": ["b", "c"], "source": "s"}]
    for data in (rows, datasets.Dataset.from_list(rows)):
        pairs = farthing.read(data)
        assert (pairs.candidates, pairs.references, pairs.sources) == (["a"], [("b", "c")], ["s"])


def test_stretches_are_the_whole_in_pieces(tmp_path: Path) -> None:
    a, r = write(tmp_path / "a.txt", *"abcdefg"), write(tmp_path / "r.txt", *"ABCDEFG")
    pieces = [pairs for [pairs] in Inputs([a], [r]).stretches(size=3)]
    assert [len(piece) for piece in pieces] == [3, 3, 1]
    assert [text for piece in pieces for text in piece.candidates] == list("abcdefg")


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    def peak(rows: int) -> int:
        path = write(tmp_path / f"{rows}.txt", *(f"sentence number {i} of a long file" for i in range(rows)))
        gc.collect()  # empties the free lists of Python, whose tuples would be used without being counted
        tracemalloc.start()
        for _ in Inputs([path], [path]).stretches(size=500):
            pass
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used

    peak(1000)
    assert peak(40_000) < 1.2 * peak(4_000)


@pytest.mark.parametrize("counts", [(2, 3), (3, 2)])
def test_lengths_that_differ_are_named(tmp_path: Path, counts: tuple[int, int]) -> None:
    a, r = write(tmp_path / "a.txt", *"x" * counts[0]), write(tmp_path / "r.txt", *"x" * counts[1])
    with pytest.raises(UsageError, match=rf"line counts differ: {a} has {counts[0]}, {r} has {counts[1]}"):
        Inputs([a], [r]).pairs()


def test_missing_column_lists_those_there_are(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", "one\ttwo", "1\t2")
    with pytest.raises(InputError, match=r"no column 'candidate' \(there are: one, two; name it with --candidate\)"):
        Inputs([path]).pairs()
    with pytest.raises(InputError, match="no column 'three'"):
        Inputs([path], columns=Columns(candidate="one", reference=("three",))).pairs()


def test_wrong_types_name_line_and_field(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", '{"mt": "a", "ref": "b"}', '{"mt": 3, "ref": "b"}')
    with pytest.raises(InputError, match=r"a.jsonl:2: the field 'mt' must be text, found int"):
        Inputs([path]).pairs()
    path = write(tmp_path / "b.jsonl", '{"mt": "a", "ref": ["b", null]}')
    with pytest.raises(InputError, match="must be text or a list of texts, found list"):
        Inputs([path]).pairs()


def test_names_of_systems(tmp_path: Path) -> None:
    a = write(tmp_path / "a.txt", "x")
    assert Inputs([a, a], names=["one", "two"]).names == ["one", "two"]
    with pytest.raises(UsageError, match="two systems are called"):
        Inputs([a, a])
    with pytest.raises(UsageError, match="2 systems but 1 names"):
        Inputs([a, a], names=["one"])
