"""The plot of correlation against layer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from farthing.meta.layers import LayerTable
from farthing.report.layers import draw_layers


def test_a_line_per_group_and_the_best_layer_marked(drawn: Callable[[str], list[Any]]) -> None:
    figures = drawn("layers")
    draw_layers(
        "l.png", LayerTable("tiny", (1, 2, 3), ("de-en", "cs-en"), np.array([[0.1, 0.3], [0.5, 0.7], [0.2, 0.2]]))
    )
    [axis] = figures[0].axes
    first, second, mean, best = axis.lines
    assert [line.get_label() for line in (first, second, mean)] == ["de-en", "cs-en", "mean"]
    assert list(second.get_ydata()) == [0.3, 0.7, 0.2]
    assert np.allclose(mean.get_ydata(), [0.2, 0.6, 0.2])
    assert (best.get_xdata()[0], round(best.get_ydata()[0], 6)) == (2, 0.6)
    assert axis.get_title() == "tiny: layer 2 is best, mean 0.600"
