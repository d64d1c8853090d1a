"""Pictures of a study: captions, the order of metrics, and what cannot be drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from farthing.core.errors import UsageError
from farthing.meta.points import ScatterPoints
from farthing.meta.study import Study
from farthing.report.meta_pictures import draw_matrix, draw_scatter


def test_captions_tell_the_pooled_value_and_the_direction(study: Study, drawn: Callable[[str], list[Any]]) -> None:
    figures = drawn("scatter")
    values = np.array([1.0, 2.0])
    points = ScatterPoints(values, {"good": values, "poor": values}, ("a", "b"))
    draw_scatter("s.png", study, points)
    cells = {name: {"b": row["b"]} for name, row in study.cells.items()}
    draw_scatter("s.png", replace(study, groups=("b",), cells=cells), points)
    titles = [[axis.get_title() for axis in figure.axes] for figure in figures]
    assert titles[0] == ["good: pearson 0.400", "poor (lower is better): pearson 0.200"]
    assert titles[1] == ["good: pearson 0.250", "poor (lower is better): pearson"]
    assert figures[0].axes[0].get_xlabel() == "human: da"


def test_a_matrix_needs_p_values(study: Study, drawn: Callable[[str], list[Any]]) -> None:
    figures = drawn("matrix")
    draw_matrix("m.png", study)
    assert [label.get_text() for label in figures[0].axes[0].get_yticklabels()] == ["good  0.500", "poor  0.100"]
    with pytest.raises(UsageError, match="no p-values to draw"):
        draw_matrix("m.png", replace(study, p_values={}))
