"""Texts of every kind of file, and what is wrong with a poor one."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import InputError
from farthing.learn.data.corpus import last_cells, read_corpus, shuffled


def test_columns_by_name_by_number_and_guessed(tmp_path: Path) -> None:
    table, rows, text = tmp_path / "t.tsv", tmp_path / "r.jsonl", tmp_path / "t.txt"
    table.write_text("1\tone\n2\t two \n3\t\n")
    rows.write_text("\n".join(json.dumps({"Article": name, "title": "x"}) for name in ("one", "two")))
    text.write_text("one\n\ntwo\n")
    assert [one.text for one in read_corpus(str(table), 2)] == ["one", "two"]
    assert [one.text for one in read_corpus(str(rows))] == ["one", "two"]
    assert [one.name for one in read_corpus(str(text))] == ["t.txt:1", "t.txt:3"]
    assert [one.text for one in read_corpus(str(rows), "title")] == ["x", "x"]
    assert read_corpus(str(rows))[0].record == {"Article": "one", "title": "x"}


@pytest.mark.parametrize(
    ("name", "content", "column", "words"),
    [
        ("a.tsv", "1\tone\n2\n", 2, ":2: no column 2: the line has 1"),
        ("a.jsonl", '{"x": "one"}', None, "which column is the text.*set column to one of: x"),
        ("a.jsonl", '{"x": 1}', "x", ":1: no text in the column 'x'"),
        ("a.txt", "one\n", None, "only one text in this corpus .give at least 2"),
        ("a.txt", "\n\n", None, "no text in this corpus"),
    ],
)
def test_poor_corpora(tmp_path: Path, name: str, content: str, column: str | int | None, words: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=words):
        read_corpus(str(tmp_path / name), column)


def test_the_last_cell_of_each_line(tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text("news\ten\tone two\nthree\n\n")
    assert last_cells(str(tmp_path / "t.tsv")) == ["one two", "three", ""]


def test_shuffling_keeps_every_document(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("".join(f"{n}\n" for n in range(20)))
    documents = read_corpus(str(tmp_path / "t.txt"))
    mixed = shuffled(documents, np.random.default_rng(0))
    assert mixed != documents
    assert sorted(one.name for one in mixed) == sorted(one.name for one in documents)
