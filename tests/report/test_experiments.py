"""Experiments as tables and pictures."""

from __future__ import annotations

from pathlib import Path

from farthing.meta.diversity import Experiment, judge_curves
from farthing.meta.repeated import RepeatedExperiment
from farthing.report.experiments import draw_experiment, experiment_table, repeated_table
from farthing.tables.grid import grid_text

VALUES = {"schnabel_quality": [0.8, 0.8, 0.79], "schnabel_diversity": [0.8, 0.6, 0.3], "fid": [0.1, 0.2, 0.5]}
FOUND = Experiment("collapse", "labels", (3.0, 2.0, 1.0), judge_curves("collapse", VALUES), 50, 60)


def test_table_says_what_moved() -> None:
    text = grid_text(experiment_table(FOUND))
    assert "schnabel_diversity -0.500: should fall, does" in text
    assert "50 generated and 60 corpus samples" in text
    assert "mode collapse, labels:  3      2      1" in text


def test_table_over_several_seeds() -> None:
    text = grid_text(repeated_table(RepeatedExperiment((FOUND, FOUND))))
    assert "mode collapse, labels:           3      2      1      change  from    to      right in 2" in text
    assert "schnabel_diversity, should fall  0.800  0.600  0.300  -0.500  -0.500  -0.500  2" in text
    assert "Means over 2 seeds" in text


def test_picture(tmp_path: Path) -> None:
    draw_experiment(tmp_path / "a.png", FOUND)
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
