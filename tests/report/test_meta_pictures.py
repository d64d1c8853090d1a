"""Scatter plots and significance matrices: files that open, names that are refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import OutputError, UsageError
from farthing.report.figure import check_figure_path
from farthing.report.matrix import significance_matrix
from farthing.report.scatter import scatter

pytest.importorskip("matplotlib")


def test_a_panel_a_metric_with_gaps(tmp_path: Path) -> None:
    human = np.array([1.0, np.nan, 3.0, 4.0])
    metrics = {name: np.array([1.0, 2.0, np.nan, 4.0]) for name in ("a", "b", "c", "d")}
    scatter(tmp_path / "s.svg", human, metrics, ["x", "x", "y", "y"], {"a": "a: 0.9"}, "people")
    drawn = (tmp_path / "s.svg").read_text()
    assert drawn.count('id="axes_') == 6  # two rows of three, the last two panels empty
    scatter(tmp_path / "s.png", human, metrics, ["x"] * 4, {})
    assert (tmp_path / "s.png").stat().st_size > 1000


def test_a_matrix_a_group(tmp_path: Path) -> None:
    p_values = {"g": np.array([[1.0, 0.0001], [0.9999, 1.0]]), "h": np.array([[1.0, 0.3], [0.7, 1.0]])}
    significance_matrix(tmp_path / "m.pdf", p_values, ["a", "b"], {"g": [0.5, 0.4], "h": [0.1, None]})
    assert (tmp_path / "m.pdf").read_bytes()[:4] == b"%PDF"


def test_names_are_refused_early(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown kind of picture"):
        check_figure_path(tmp_path / "x.bmp")
    with pytest.raises(OutputError, match="does not exist"):
        check_figure_path(tmp_path / "no" / "x.png")
