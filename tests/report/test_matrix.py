"""Significance matrices: one per group, the best metric first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from farthing.report.matrix import significance_matrix

P_VALUES = {"g": np.array([[1.0, 0.9999], [0.0001, 1.0]]), "h": np.array([[1.0, 0.3], [0.7, 1.0]])}
VALUES = {"g": [0.4, 0.5], "h": [0.1, None]}


def test_a_file_that_opens(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    significance_matrix(tmp_path / "m.pdf", P_VALUES, ["a", "b"], VALUES)
    assert (tmp_path / "m.pdf").read_bytes()[:4] == b"%PDF"


def test_metrics_are_ordered_by_their_values(drawn: Callable[[str], list[Any]]) -> None:
    figures = drawn("matrix")
    significance_matrix("m.pdf", P_VALUES, ["a", "b"], VALUES, alpha=0.01)
    first, second = figures[0].axes
    assert [label.get_text() for label in first.get_xticklabels()] == ["b", "a"]
    assert [label.get_text() for label in first.get_yticklabels()] == ["b  0.500", "a  0.400"]
    # b beats a: its row is filled, and the text of both cells is short
    assert first.images[0].get_array().tolist() == [[0, 4], [0, 0]]
    assert [text.get_text() for text in first.texts] == ["<.001", "1"]
    assert [text.get_text() for text in second.texts] == [".300", ".700"]
    assert "below 0.01" in figures[0].get_suptitle()


def test_empty_panels_are_hidden(drawn: Callable[[str], list[Any]]) -> None:
    figures = drawn("matrix")
    groups = {name: np.ones((1, 1)) for name in "wxyz"}
    significance_matrix("m.pdf", groups, ["a"], {name: [0.5] for name in groups})
    assert [axis.axison for axis in figures[0].axes] == [True] * 4 + [False] * 2
