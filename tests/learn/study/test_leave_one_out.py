"""The leave-one-out protocol of the paper's Table 2."""

from __future__ import annotations

from pathlib import Path

import pytest

from farthing.core.errors import UsageError
from farthing.learn.cross.settings import CrossSettings
from farthing.learn.cross.start import Start
from farthing.learn.data.humans import Judged
from farthing.learn.study.leave_one_out import TransferScore, best_epoch_score, leave_one_out, transfer_rows

QUICK = CrossSettings(epochs=2, batch=16, rate=3e-3, warm_up=0.0, checks=2, limit=64, threads=1)


def test_the_epoch_is_chosen_without_the_test_set() -> None:
    epochs = [{"a": 0.9, "b": 0.1, "c": 0.2}, {"a": 0.5, "b": 0.6, "c": 0.4}]
    assert best_epoch_score(epochs, "a") == 0.5  # b and c are better after the second epoch
    assert best_epoch_score(epochs, "b") == 0.1  # a and c: .55 against .45
    assert best_epoch_score(epochs, "c") == 0.4


def test_the_protocol_of_table_2(encoder: Path, sets: list[Judged], tmp_path: Path) -> None:
    starts = {"encoder": Start(str(encoder)), "fresh": Start("2x128", tokenizer=str(encoder))}
    quick = CrossSettings(epochs=1, batch=32, rate=1e-3, warm_up=0.0, checks=1, limit=40, threads=1)
    cells = leave_one_out(starts, sets, tmp_path / "run", quick, seeds=2)
    assert len(cells) == 2 * 3 * 2  # students, training sets, test sets
    assert {(cell.trained, cell.tested) for cell in cells if cell.trained == cell.tested} == set()
    rows = transfer_rows(cells)
    assert [row["trained on"] for row in rows] == ["first", "first", "second", "second", "third", "third"]
    assert rows[0]["first"] == "-"
    assert not list((tmp_path / "run").iterdir())
    with pytest.raises(UsageError, match="at least three"):
        leave_one_out(starts, sets[:2], tmp_path / "run")


def test_rows_of_the_protocol() -> None:
    cells = [TransferScore("s", "a", "b", 0.5, 0.01), TransferScore("s", "a", "c", 0.7, 0.0)]
    row = {"trained on": "a", "student": "s", "b": "50.0 ±1.0", "c": "70.0 ±0.0", "average": "60.0"}
    assert transfer_rows(cells) == [row]
