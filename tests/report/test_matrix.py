"""Significance matrices: metrics from the best to the worst, and who beats whom."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
import pytest

from farthing.report import matrix as module
from farthing.report.matrix import significance_matrix

if TYPE_CHECKING:
    from matplotlib.figure import Figure

pytest.importorskip("matplotlib")

# b and c beat a
P_VALUES = np.array([[1.0, 0.96, 0.99996], [0.04, 1.0, 0.7], [0.00004, 0.3, 1.0]])


def test_one_matrix_per_group(tmp_path: Path) -> None:
    p_values = {"g": np.array([[1.0, 0.0001], [0.9999, 1.0]]), "h": np.array([[1.0, 0.3], [0.7, 1.0]])}
    significance_matrix(tmp_path / "m.pdf", p_values, ["a", "b"], {"g": [0.5, 0.4], "h": [0.1, None]})
    assert (tmp_path / "m.pdf").read_bytes()[:4] == b"%PDF"


def test_cells_follow_the_order_of_the_values(figures: Callable[[ModuleType], list[Figure]]) -> None:
    kept = figures(module)
    significance_matrix("m.png", {"g": P_VALUES}, ["a", "b", "c"], {"g": [0.1, 0.2, 0.3]})
    [axis] = kept[0].axes
    assert axis.get_title() == "g"
    assert [label.get_text() for label in axis.get_xticklabels()] == ["c", "b", "a"]
    assert [label.get_text() for label in axis.get_yticklabels()] == ["c  0.300", "b  0.200", "a  0.100"]
    cells = {(text.get_position()[1], text.get_position()[0]): text.get_text() for text in axis.texts}
    assert cells == {
        (0, 1): ".300",
        (0, 2): "<.001",
        (1, 0): ".700",
        (1, 2): ".040",
        (2, 0): "1",
        (2, 1): ".960",
    }


@pytest.mark.parametrize(("alpha", "filled"), [(0.05, {(0, 2), (1, 2)}), (0.01, {(0, 2)})])
def test_cells_below_alpha_are_filled(
    alpha: float, filled: set[tuple[int, int]], figures: Callable[[ModuleType], list[Figure]]
) -> None:
    kept = figures(module)
    significance_matrix("m.png", {"g": P_VALUES}, ["a", "b", "c"], {"g": [0.1, 0.2, 0.3]}, alpha)
    [picture] = kept[0].axes[0].images
    assert {(int(row), int(column)) for row, column in np.argwhere(picture.get_array())} == filled
    assert f"below {alpha:g}" in kept[0].get_suptitle()


def test_an_undefined_value_comes_last_and_is_a_dash(figures: Callable[[ModuleType], list[Figure]]) -> None:
    kept = figures(module)
    significance_matrix("m.png", {"g": np.ones((2, 2))}, ["a", "b"], {"g": [None, -0.5]})
    assert [label.get_text() for label in kept[0].axes[0].get_yticklabels()] == ["b  -0.500", "a  –"]


def test_panels_that_are_not_needed_stay_empty(figures: Callable[[ModuleType], list[Figure]]) -> None:
    kept = figures(module)
    groups = ["g", "h", "i", "j"]
    significance_matrix("m.png", dict.fromkeys(groups, np.ones((2, 2))), ["a", "b"], dict.fromkeys(groups, (0.5, 0.4)))
    assert [axis.get_title() for axis in kept[0].axes if axis.axison] == groups
    assert len(kept[0].axes) == 6
