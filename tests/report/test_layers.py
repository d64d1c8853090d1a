"""The plot of correlation against layer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
import pytest

from farthing.meta.layers import LayerTable
from farthing.report import layers as module
from farthing.report.figure import SUFFIXES
from farthing.report.layers import draw_layers

if TYPE_CHECKING:
    from matplotlib.figure import Figure

pytest.importorskip("matplotlib")

FOUND = LayerTable("bert", (1, 2, 4), ("cs-en", "de-en"), np.array([[0.1, 0.3], [0.5, 0.7], [0.4, 0.2]]))


def test_lines_are_the_groups_and_their_mean(figures: Callable[[ModuleType], list[Figure]]) -> None:
    kept = figures(module)
    draw_layers("a.png", [FOUND])
    [axis] = kept[0].axes
    *lines, mark = axis.lines
    assert [list(line.get_xdata()) for line in lines] == [[1, 2, 4]] * 3
    assert {line.get_label(): np.asarray(line.get_ydata()).tolist() for line in lines} == {
        "cs-en": [0.1, 0.5, 0.4],
        "de-en": [0.3, 0.7, 0.2],
        "mean": pytest.approx([0.2, 0.6, 0.3]),
    }
    assert (mark.get_xdata()[0], mark.get_ydata()[0]) == (2, pytest.approx(0.6))
    assert axis.get_title() == "bert: layer 2 is best, mean 0.600"
    assert axis.get_xticks().tolist() == [1, 2, 4]
    assert [text.get_text() for text in axis.get_legend().get_texts()] == ["cs-en", "de-en", "mean"]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_format(suffix: str, tmp_path: Path) -> None:
    draw_layers(tmp_path / f"a{suffix}", [FOUND])
    assert (tmp_path / f"a{suffix}").stat().st_size > 1000


def test_several_models_have_one_line_each_over_their_depth(figures: Callable[[ModuleType], list[Figure]]) -> None:
    kept = figures(module)
    deep = LayerTable("/models/deep", (0, 4, 8), ("cs-en",), np.array([[0.1], [0.9], [0.5]]))
    draw_layers("a.png", [FOUND, deep])
    [axis] = kept[0].axes
    curves = {line.get_label(): line for line in axis.lines if len(line.get_xdata()) > 1}
    assert list(curves) == ["bert, best 2 of 4", "deep, best 4 of 8"]
    assert list(curves["deep, best 4 of 8"].get_xdata()) == [0, 0.5, 1]
    assert np.asarray(curves["bert, best 2 of 4"].get_ydata()).tolist() == pytest.approx([0.2, 0.6, 0.3])
