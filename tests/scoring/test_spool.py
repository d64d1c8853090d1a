"""A table of segments that is written as it is scored, against the one that is written from memory."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest

from farthing.core.types import Pairs
from farthing.files.inputs import Given
from farthing.files.write import write_table
from farthing.scoring import spool
from farthing.scoring.output import Target
from farthing.scoring.score import choose, score
from farthing.scoring.spool import SegmentSpool

WORDS = ["the", "cat", "sat", "on", "a", "mat"]


def systems(rows: int = 40) -> Given:
    random = np.random.default_rng(0)
    texts = [[" ".join(random.choice(WORDS, 5)) for _ in range(rows)] for _ in range(3)]
    return Given([Pairs.of(texts[0], texts[2], system="a"), Pairs.of(texts[1], texts[2], system="b")])


class Stretched(Given):
    """The same rows, a few at a time."""

    def stretches(self, size: int = 7):  # type: ignore[no-untyped-def]
        return super().stretches(min(size, 7))


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "parquet"])
def test_the_table_is_that_of_memory(tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "AT_LEAST", 16)
    given, chosen = systems(), choose("chrf,rouge,chrf(word_order=2)")
    whole = score(chosen, given)
    write_table(tmp_path / f"memory.{suffix}", whole.columns("segment"))
    with SegmentSpool(tmp_path / f"spooled.{suffix}") as taken:
        score(chosen, Stretched(given.systems), each=taken.add, most_rows=10)
        taken.write()
    if suffix == "parquet":  # its rows are grouped otherwise
        first, second = (pyarrow.parquet.read_table(tmp_path / f"{name}.parquet") for name in ("memory", "spooled"))
        assert first.equals(second)
    else:
        assert (tmp_path / f"memory.{suffix}").read_bytes() == (tmp_path / f"spooled.{suffix}").read_bytes()


def test_nothing_is_left_beside_the_table(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0
    with SegmentSpool(tmp_path / "scores.csv") as taken:
        score(choose("chrf"), systems(), each=taken.add)
        assert list(tmp_path.iterdir()) == []
    assert list(tmp_path.iterdir()) == []
    assert not before or len(os.listdir("/proc/self/fd")) == before


def test_which_tables_must_wait_for_the_last_row(tmp_path: Path) -> None:
    table, chosen = tmp_path / "scores.csv", choose("chrf")
    assert Target(table).spool(chosen) is not None
    assert Target(table, with_texts=True).spool(chosen) is None
    assert Target(run=tmp_path).spool(chosen) is None
    assert Target(table).spool(choose("sentsim(model=nano, monolingual=true, combine=published)")) is None


def test_a_long_input_is_streamed_to_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command keeps sums only, and the table has all rows."""
    from farthing.app.cli import score as command
    from farthing.app.cli.main import main

    monkeypatch.setattr(command, "MOST_ROWS", 10)
    monkeypatch.chdir(tmp_path)
    given = systems(30).systems[0]
    (tmp_path / "hyp.txt").write_text("".join(f"{text}\n" for text in given.candidates))
    (tmp_path / "ref.txt").write_text("".join(f"{row[0]}\n" for row in given.references))
    with pytest.raises(SystemExit) as ended:
        main(["score", "hyp.txt", "-r", "ref.txt", "-m", "chrf", "-o", "scores.jsonl", "-q"])
    assert ended.value.code == 0
    rows = [json.loads(line) for line in (tmp_path / "scores.jsonl").read_text().splitlines()]
    expected = score(choose("chrf"), Given([given])).rows[0].cells[0].scores.segments
    assert [row["chrf"] for row in rows] == np.asarray(expected).tolist()
    assert [row["row"] for row in rows] == list(range(1, 31))
