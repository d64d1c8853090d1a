"""Runs of rows of any kind."""

from __future__ import annotations

from pathlib import Path

import pyarrow
import pytest

from farthing.core.errors import InputError, OutputError
from farthing.core.progress import Stopped
from farthing.files import rows
from farthing.files.journal import Journal
from farthing.files.rows import close_rows, drop_parts, keep_columns, keep_shards, open_rows, read_run_rows, resumable
from farthing.files.run_folder import PARTS, SHARDS

ABOUT = {"input": "abc"}


def shard(*values: int) -> pyarrow.Table:
    return pyarrow.table({"value": list(values)})


def test_shards_that_are_there_are_not_written_again(tmp_path: Path) -> None:
    journal = open_rows(tmp_path / "run", "pairs", ABOUT)
    keep_shards(journal, [shard(1, 2)])
    [first] = (tmp_path / "run" / SHARDS).iterdir()
    written = first.stat().st_mtime_ns
    again = open_rows(tmp_path / "run", "pairs", ABOUT)
    keep_shards(again, [shard(1, 2), shard(3)])
    close_rows(again, {"pairs": 3})
    assert first.stat().st_mtime_ns == written
    table, complete = read_run_rows(tmp_path / "run", "pairs")
    assert (table.column("value").to_pylist(), complete) == ([1, 2, 3], True)
    assert Journal.read(tmp_path / "run").results() == {"pairs": 3}


def test_a_lost_shard_is_found_when_the_run_is_closed(tmp_path: Path) -> None:
    journal = open_rows(tmp_path / "run", "pairs", ABOUT)
    keep_shards(journal, [shard(1), shard(2)])
    next((tmp_path / "run" / SHARDS).glob("000001*")).unlink()
    with pytest.raises(OutputError, match="the disk has lost what was written"):
        close_rows(journal, {})


def test_rows_that_are_known_at_the_end_replace_those_of_an_interrupted_attempt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "SHARD", 2)
    journal = open_rows(tmp_path / "run", "judged outputs", ABOUT)
    keep_columns(journal, {"value": [7, 8, 9]})
    keep_columns(journal, {"value": [1, 2, 3]}, {"teacher": "chrf"})
    close_rows(journal, {})
    table, _ = read_run_rows(tmp_path / "run", "judged outputs")
    assert table.column("value").to_pylist() == [1, 2, 3]
    assert table.schema.metadata == {b"teacher": b"chrf"}
    assert len(list((tmp_path / "run" / SHARDS).iterdir())) == 2
    keep_columns(journal, {"value": [0]})  # a complete run stays as it is
    assert read_run_rows(tmp_path / "run", "judged outputs")[0].num_rows == 3


def test_what_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="does not exist; make it first"):
        open_rows(tmp_path / "absent" / "run", "pairs", ABOUT)
    open_rows(tmp_path / "run", "pairs", ABOUT)
    with pytest.raises(InputError, match="no rows are complete yet"):
        read_run_rows(tmp_path / "run", "pairs")
    with pytest.raises(InputError, match="run: holds pairs, not scores of a study"):
        read_run_rows(tmp_path / "run", "scores of a study")
    with pytest.raises(OutputError, match=r"holds another run \(its input differ\)"):
        open_rows(tmp_path / "run", "pairs", {"input": "other"})
    with pytest.raises(OutputError, match=r"holds another run \(its kind differ\)"):
        open_rows(tmp_path / "run", "judged outputs", ABOUT)
    assert open_rows(tmp_path / "run", "pairs", {"input": "other"}, overwrite=True).about["input"] == "other"


def test_parts_are_dropped(tmp_path: Path) -> None:
    journal = open_rows(tmp_path / "run", "pairs", ABOUT)
    (tmp_path / "run" / PARTS / "chrf").mkdir(parents=True)
    drop_parts(journal)
    drop_parts(journal)
    assert not (tmp_path / "run" / PARTS).exists()


def test_an_interrupt_tells_what_is_kept(tmp_path: Path) -> None:
    with pytest.raises(Stopped, match=r"^what was done so far is kept in run$"), resumable(Path("run")):
        raise KeyboardInterrupt
    with pytest.raises(Stopped, match=r"^inner$"), resumable(Path("run")):
        raise Stopped("inner")
