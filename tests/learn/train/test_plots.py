"""Pictures of runs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from farthing.learn.train.history import History
from farthing.learn.train.plots import plot_ablation, plot_history

STEPS: list[dict[str, float]] = [{"step": 1, "loss": 2.0}, {"step": 2, "loss": 1.0}]
CHECKS: dict[str, list[dict[str, float]]] = {
    "none": [],
    "of distillation": [{"step": 2, "epoch": 1.0, "loss": 1.0, "pearson": 0.5, "spearman": 0.4}],
    "of fine-tuning": [{"step": 2, "epoch": 1.0, "WMT15": 0.5, "WMT16": 0.4}],
}


def is_png(path: Path) -> bool:
    return path.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("checks", CHECKS)
def test_a_history_is_drawn_whatever_was_checked(tmp_path: Path, checks: str) -> None:
    pytest.importorskip("matplotlib")
    assert plot_history(History(STEPS, CHECKS[checks]), tmp_path / "loss.png")
    assert is_png(tmp_path / "loss.png")


def test_an_ablation_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert plot_ablation({"captions": -2.5, "random": 0.3}, tmp_path / "bars.png")
    assert is_png(tmp_path / "bars.png")


def test_without_matplotlib_nothing_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert not plot_history(History(STEPS), tmp_path / "loss.png")
    assert not plot_ablation({"captions": 1.0}, tmp_path / "bars.png")
    assert list(tmp_path.iterdir()) == []
