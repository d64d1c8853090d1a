"""Scatter plots: one panel per metric, one dot per output, one colour per group."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
import pytest

from farthing.report import scatter as module
from farthing.report.scatter import COLORS, scatter

if TYPE_CHECKING:
    from matplotlib.figure import Figure

colors = pytest.importorskip("matplotlib.colors")

HUMAN = np.array([1.0, np.nan, 3.0, 4.0, 5.0])
SCORES = np.array([0.1, 0.2, np.nan, 0.4, 0.5])
GROUPS = ["x", "x", "y", "y", "x"]


def test_one_panel_per_metric_with_gaps(tmp_path: Path) -> None:
    human = np.array([1.0, np.nan, 3.0, 4.0])
    metrics = {name: np.array([1.0, 2.0, np.nan, 4.0]) for name in ("a", "b", "c", "d")}
    scatter(tmp_path / "s.svg", human, metrics, ["x", "x", "y", "y"], {"a": "a: 0.9"}, "people")
    drawn = (tmp_path / "s.svg").read_text()
    assert drawn.count('id="axes_') == 6  # two rows of three, the last two panels empty
    scatter(tmp_path / "s.png", human, metrics, ["x"] * 4, {})
    assert (tmp_path / "s.png").stat().st_size > 1000


def test_dots_are_the_outputs_that_both_scored(figures: Callable[[ModuleType], list[Figure]]) -> None:
    kept = figures(module)
    scatter("a.png", HUMAN, {"m": SCORES}, GROUPS, {})
    dots = kept[0].axes[0].collections
    assert {one.get_label(): np.asarray(one.get_offsets()).tolist() for one in dots} == {
        "x": [[1.0, 0.1], [5.0, 0.5]],
        "y": [[4.0, 0.4]],
    }
    assert [colors.to_hex(one.get_facecolor()[0]).upper() for one in dots] == list(COLORS[:2])


def test_panels_are_labelled(figures: Callable[[ModuleType], list[Figure]]) -> None:
    kept = figures(module)
    scatter("a.png", HUMAN, {"m": SCORES, "n": SCORES}, GROUPS, {"m": "m: pearson 0.9"}, "people")
    axes = kept[0].axes
    assert [axis.get_title() for axis in axes] == ["m: pearson 0.9", "n"]
    assert [axis.get_ylabel() for axis in axes] == ["m", "n"]
    assert {axis.get_xlabel() for axis in axes} == {"people"}
    [legend] = kept[0].legends
    assert [text.get_text() for text in legend.get_texts()] == ["x", "y"]


def test_one_group_needs_no_legend(figures: Callable[[ModuleType], list[Figure]]) -> None:
    kept = figures(module)
    scatter("a.png", HUMAN, {"m": SCORES}, ["x"] * 5, {})
    assert kept[0].legends == []


def test_more_groups_than_colours(figures: Callable[[ModuleType], list[Figure]]) -> None:
    kept = figures(module)
    count = len(COLORS) + 1
    values = np.arange(float(count))
    scatter("a.png", values, {"m": values}, [f"g{place}" for place in range(count)], {})
    colours = [colors.to_hex(one.get_facecolor()[0]).upper() for one in kept[0].axes[0].collections]
    assert colours == [*COLORS, COLORS[0]]
