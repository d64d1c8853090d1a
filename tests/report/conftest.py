"""Pictures that are looked at instead of being written, and a study with known answers."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from farthing.core.types import Note
from farthing.meta.correlation import Correlation
from farthing.meta.question import Question
from farthing.meta.scored import Scored
from farthing.meta.study import POOLED, Study, StudyCell


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[Any]]:
    """`drawn("scatter")` is the list of figures that a module of the report would have saved."""
    pytest.importorskip("matplotlib")

    def watch(module: str) -> list[Any]:
        figures: list[Any] = []
        target = importlib.import_module(f"farthing.report.{module}")
        monkeypatch.setattr(target, "save_figure", lambda figure, path: figures.append(figure))
        return figures

    return watch


def _cell(value: float, **more: Any) -> StudyCell:
    return StudyCell(Correlation(value, 10, "pearson", threshold=more.pop("threshold", None)), **more)


@pytest.fixture
def study() -> Study:
    """Two metrics on two groups, one of them undefined, with a test."""
    cells = {
        "good": {"a": _cell(0.5, unbeaten=True, rank=1), "b": _cell(0.25), POOLED: _cell(0.4, threshold=0.125)},
        "poor": {"a": _cell(0.1, rank=2), "b": StudyCell(None, "all equal"), POOLED: _cell(0.2)},
    }
    metrics = (Scored("good", np.zeros(3), signature="good|v:1"), Scored("poor", np.zeros(3), higher_is_better=False))
    p_values = {"a": np.array([[1.0, 0.0004], [0.9996, 1.0]])}
    question = Question(test="permutation", resamples=99, seed=3)
    return Study(question, "da", metrics, ("a", "b"), cells, p_values, (Note("left out", "one row", (4,)),))
