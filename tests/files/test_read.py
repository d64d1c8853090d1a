"""Readers: every format gives the same rows, and every broken file one sentence with its line."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from farthing.core.errors import InputError
from farthing.files.read import format_of, records

# Text that a cell of a line can hold.
CELL = st.text(st.characters(exclude_characters="\t\n\r\x00", exclude_categories=["Cs"]))
reuse = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@reuse
@given(st.lists(st.tuples(CELL, CELL), min_size=1))
def test_every_format_gives_the_same_rows(tmp_path: Path, rows: list[tuple[str, str]]) -> None:
    table = [{"mt": first, "ref": second} for first, second in rows]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([("mt", "ref"), *rows])
    contents = {
        "a.tsv": "mt\tref\n" + "".join(f"{a}\t{b}\n" for a, b in rows),
        "a.csv": text.getvalue(),
        "a.jsonl": "".join(json.dumps(row) + "\n" for row in table),
    }
    for name, content in contents.items():
        (tmp_path / name).write_text(content, encoding="utf-8", newline="")
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(content.encode("utf-8")))
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(table), tmp_path / "a.parquet")
    for name in [*contents, *(f"{name}.gz" for name in contents), "a.parquet"]:
        assert [record for _, record in records(str(tmp_path / name))] == table, name


def test_csv_cells_may_hold_line_breaks(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('mt,ref\n"one\ntwo",x\n', encoding="utf-8")
    assert list(records(str(path))) == [(3, {"mt": "one\ntwo", "ref": "x"})]


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.txt", b"fine\nbroken \xe9 line\n", "a.txt:2: not UTF-8: byte 0xe9 at position 8 of the line"),
        ("a.txt", b"", "a.txt: the file is empty"),
        ("a.tsv", b"a\tb\nx\n", "a.tsv:2: 1 columns, but the header has 2"),
        ("a.tsv", b"a\ta\nx\ty\n", "a.tsv:1: the column 'a' occurs twice"),
        ("a.csv", b'a,b\n"x,y\n', "a.csv:2: broken CSV"),
        ("a.jsonl", b'{"a": "x"}\n{"a": \n', "a.jsonl:2: broken JSON"),
        ("a.jsonl", b"[1]\n", "a.jsonl:1: expected a JSON object, found list"),
        ("a.parquet", b"not parquet at all", "a.parquet: not a readable Parquet file"),
        ("a.txt.gz", b"not gzip", "a.txt.gz: broken gzip data"),
        ("a.txt.gz", gzip.compress(b"hello\n" * 1000, mtime=0)[:-20], "a.txt.gz: broken gzip data"),
    ],
)
def test_broken_files(tmp_path: Path, name: str, content: bytes, expected: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        list(records(str(path)))
    assert expected in str(caught.value)


def test_missing_file_and_directory(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        list(records(str(tmp_path / "nothing.txt")))
    with pytest.raises(InputError, match="is a directory"):
        list(records(str(tmp_path)))


def test_format_by_name() -> None:
    found = [format_of(name) for name in ("a.txt", "a.en", "A.TSV", "b.jsonl.gz", "c.parquet", "d")]
    assert found == ["txt", "txt", "tsv", "jsonl", "parquet", "txt"]


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_the_separator_of_a_csv_is_told_by_its_header(tmp_path: Path, mark: str) -> None:
    path = tmp_path / "a.csv"
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file, delimiter=mark).writerows([("mt", "ref", "a, b"), ("one; two, three", "x\ty | z", "")])
    wanted = {"mt": "one; two, three", "ref": "x\ty | z", "a, b": ""}
    assert [record for _, record in records(str(path))] == [wanted]


def test_a_cell_may_hold_a_whole_document(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(f"mt,ref\n{'x' * 200_000},y\n", encoding="utf-8")
    [(_, record)] = records(str(tmp_path / "a.csv"))
    assert len(record["mt"]) == 200_000
