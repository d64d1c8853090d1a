"""Scatter plots: a panel per metric, a colour per group, and gaps left out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from farthing.report.scatter import scatter

HUMAN = np.array([1.0, np.nan, 3.0, 4.0])
SCORES = np.array([1.0, 2.0, np.nan, 4.0])


def test_a_panel_per_metric_with_gaps(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    metrics = dict.fromkeys(("a", "b", "c", "d"), SCORES)
    scatter(tmp_path / "s.svg", HUMAN, metrics, ["x", "x", "y", "y"], {"a": "a: 0.9"}, "people")
    drawn = (tmp_path / "s.svg").read_text()
    assert drawn.count('id="axes_') == 6  # two rows of three, the last two panels empty
    scatter(tmp_path / "s.png", HUMAN, metrics, ["x"] * 4, {})
    assert (tmp_path / "s.png").stat().st_size > 1000


def test_dots_titles_and_legend(drawn: Callable[[str], list[Any]]) -> None:
    figures = drawn("scatter")
    scatter("s.png", HUMAN, {"a": SCORES, "b": -SCORES}, ["x", "x", "y", "y"], {"a": "a: 0.9"}, "people")
    scatter("s.png", HUMAN, {"a": SCORES}, ["x"] * 4, {})
    axes = figures[0].axes
    assert [axis.get_title() for axis in axes] == ["a: 0.9", "b"]
    assert [dots.get_offsets().tolist() for dots in axes[1].collections] == [[[1, -1]], [[4, -4]]]
    assert (axes[0].get_xlabel(), axes[0].get_ylabel()) == ("people", "a")
    assert [text.get_text() for text in figures[0].legends[0].get_texts()] == ["x", "y"]
    assert not figures[1].legends  # one group needs none
