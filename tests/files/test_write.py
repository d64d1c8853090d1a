"""Writers: whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import OutputError, UsageError
from farthing.files.read import records
from farthing.files.write import check_not_input, replacing, write_table, write_text

COLUMNS = {"system": ["a", "b"], "row": np.array([1, 2]), "score": np.array([0.1, 1e-17]), "text": ['q"\t,é', "x"]}


@pytest.mark.parametrize("suffix", ["parquet", "jsonl", "csv"])
def test_tables_read_back(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"out.{suffix}"
    write_table(path, COLUMNS)
    rows = [record for _, record in records(str(path))]
    assert [row["text"] for row in rows] == COLUMNS["text"]
    assert [float(row["score"]) for row in rows] == [0.1, 1e-17]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(RuntimeError, match="halfway"), replacing(path) as stream:
        stream.write(b"new")
        raise RuntimeError("halfway")
    assert path.read_text(encoding="utf-8") == "old"
    assert os.listdir(tmp_path) == ["out.txt"]


def test_a_full_disk_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "out.txt"
    path.write_text("old", encoding="utf-8")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match="No space left on device; nothing was changed"):
        write_text(path, "new")
    assert path.read_text(encoding="utf-8") == "old"
    assert os.listdir(tmp_path) == ["out.txt"]


def test_wrong_targets(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="is a directory"):
        write_text(tmp_path, "x")
    with pytest.raises(OutputError, match="does not exist; make it first"):
        write_text(tmp_path / "no" / "x.txt", "x")
    with pytest.raises(UsageError, match="unknown kind of output"):
        write_table(tmp_path / "x.xlsx", COLUMNS)


def test_permissions_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    write_text(path, "a")
    path.chmod(0o640)
    write_text(path, "b")
    assert path.stat().st_mode & 0o777 == 0o640


def test_an_input_is_told_by_what_it_is_not_by_its_name(tmp_path: Path) -> None:
    path, other = tmp_path / "a.txt", tmp_path / "b.txt"
    path.write_text("a")
    other.write_text("b")
    (tmp_path / "hard").hardlink_to(path)
    (tmp_path / "soft").symlink_to("a.txt")
    (tmp_path / "folder").mkdir()
    for name in ("a.txt", "hard", "soft", "folder/../a.txt"):
        with pytest.raises(OutputError, match="never overwritten"):
            check_not_input(tmp_path / name, ["-", str(other), str(path)])
        check_not_input(tmp_path / name, ["-", str(other), str(tmp_path / "nothing")])
    check_not_input(tmp_path / "new", [str(path)])
    check_not_input(tmp_path / "folder", [str(path)])
    with pytest.raises(OutputError, match="holds the input"):
        check_not_input(tmp_path, [str(path)])


def test_tsv_cells_have_no_quotes_and_no_separators(tmp_path: Path) -> None:
    write_table(tmp_path / "a.tsv", {"text": ['a "b"', "c\td\ne"], "none": [None, "x"]})
    assert (tmp_path / "a.tsv").read_text() == 'text\tnone\na "b"\t\nc d e\tx\n'
