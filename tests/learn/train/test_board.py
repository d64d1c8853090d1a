"""Logs for TensorBoard."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from farthing.learn.train.board import Board


def test_figures_can_be_read_back(tmp_path: Path) -> None:
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    board = Board(tmp_path / "logs")
    for step in (1, 2):
        board.add("check", step, {"pearson": step / 4})
    board.close()
    events = accumulator.EventAccumulator(str(tmp_path / "logs")).Reload()
    assert [(one.step, one.value) for one in events.Scalars("check/pearson")] == [(1, 0.25), (2, 0.5)]


def test_without_tensorboard_or_a_folder_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    for board in (Board(tmp_path / "logs"), Board(None)):
        board.add("train", 1, {"loss": 1.0})
        board.close()
    assert not (tmp_path / "logs").exists()


def test_only_the_first_process_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "1")
    assert Board(tmp_path / "logs").writer is None
