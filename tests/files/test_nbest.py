"""Lists of candidates in every format that people have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from farthing.core.columns import Columns
from farthing.core.errors import InputError
from farthing.core.nbest import NBest
from farthing.files.nbest import read_nbest


def write(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_blank_lines_part_lists(tmp_path: Path) -> None:
    path = write(tmp_path, "a.txt", "a\nb\n\nc\n\n\nd\ne\n\n")
    assert [one.candidates for one in read_nbest(path)] == [["a", "b"], ["c"], ["d", "e"]]


def test_ids_part_lists_as_moses_writes_them(tmp_path: Path) -> None:
    path = write(
        tmp_path, "a.txt", "0 ||| a b ||| LM0= -1 ||| -2.5\n0 ||| a c ||| x\n1 ||| d\n0 ||| e ||| y\n1 |||  ||| z\n"
    )
    found = read_nbest(path)
    assert [(one.id, one.candidates) for one in found] == [("0", ["a b", "a c", "e"]), ("1", ["d", ""])]


def test_a_line_without_id_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a\.txt:2: expected: id \|\|\| text"):
        read_nbest(write(tmp_path, "a.txt", "0 ||| a\nb\n"))


def test_a_fixed_number_of_lines(tmp_path: Path) -> None:
    path = write(tmp_path, "a.txt", "a\nb\nc\n\ne\nf\n")
    assert [one.candidates for one in read_nbest(path, size=3)] == [["a", "b", "c"], ["", "e", "f"]]
    with pytest.raises(InputError, match="6 lines are not lists of 4"):
        read_nbest(path, size=4)


def test_the_number_of_segments_tells_the_size(tmp_path: Path) -> None:
    path = write(tmp_path, "a.txt", "a\nb\nc\nd\n")
    assert [one.candidates for one in read_nbest(path, segments=2)] == [["a", "b"], ["c", "d"]]
    for segments in (None, 3):
        with pytest.raises(InputError, match=r"nothing tells where a list of candidates ends .*--size N"):
            read_nbest(path, segments=segments)


def test_a_list_in_every_row(tmp_path: Path) -> None:
    rows = [
        {"id": 7, "src": "s", "candidates": ["a", "b"], "counts": [2, 1], "references": ["r", "q"]},
        {"id": 8, "src": "t", "candidates": ["c"], "counts": [5], "references": ["p"]},
    ]
    path = write(tmp_path, "a.jsonl", "\n".join(map(json.dumps, rows)))
    assert read_nbest(path) == [
        NBest(["a", "b"], ("r", "q"), "s", [2.0, 1.0], "7"), NBest(["c"], ("p",), "t", [5.0], "8")
    ]  # fmt: skip


def test_rows_without_id_are_lists_of_their_own(tmp_path: Path) -> None:
    path = write(tmp_path, "a.jsonl", '{"samples": ["a", "b"]}\n{"samples": ["a"]}\n')
    assert read_nbest(path) == [NBest(["a", "b"]), NBest(["a"])]


def test_one_candidate_per_row(tmp_path: Path) -> None:
    path = write(tmp_path, "a.tsv", "segment_id\tsource\tmt\tcount\nx\ts\ta\t2\ny\tt\tb\t1\nx\ts\tc\t3\n")
    assert read_nbest(path) == [NBest(["a", "c"], (), "s", [2.0, 3.0], "x"), NBest(["b"], (), "t", [1.0], "y")]


def test_columns_may_be_named(tmp_path: Path) -> None:
    path = write(tmp_path, "a.csv", "n,t\n1,a\n1,b\n2,c\n")
    found = read_nbest(path, columns=Columns(candidate="t", identity="n"))
    assert [one.candidates for one in found] == [["a", "b"], ["c"]]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"mt": "a"}', "no column of segment ids .*--id"),
        (
            '{"candidates": ["a"]}\n{"candidates": []}',
            "a.jsonl:2: the field 'candidates' must be a list of at least one",
        ),
        ('{"candidates": ["a", 3]}', "must be text, found int"),
        ('{"candidates": ["a"], "weights": ["x"]}', "one number per candidate"),
        ('{"candidates": ["a"], "weights": 2}', "one number per candidate"),
        ('{"other": ["a"]}', "no column 'candidate'"),
    ],
)
def test_mistakes_name_the_line_or_the_column(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        read_nbest(write(tmp_path, "a.jsonl", text))
