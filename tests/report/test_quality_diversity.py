"""Systems as points of quality and diversity: a panel a metric, other metrics left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from farthing.core.signature import Signature
from farthing.core.types import Scores
from farthing.report import quality_diversity as module


def test_a_panel_for_every_metric_that_tells_the_two_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = []
    monkeypatch.setattr(module, "save_figure", lambda figure, path: kept.append(figure))
    parts = {"precision": 0.9, "recall": 0.4}
    scores = [Scores(0.5, None, Signature(name), parts, system=s) for name in ("impar", "prd") for s in ("a", "b")]
    module.quality_diversity(tmp_path / "a.png", [*scores, Scores(0.1, None, Signature("fid"), {"means": 0.1})])
    [figure] = kept
    assert [axis.get_title() for axis in figure.axes] == ["impar", "prd"]
    lines = figure.axes[0].lines
    assert [line.get_label() for line in lines] == ["a", "b"]
    assert (lines[0].get_xdata()[0], lines[0].get_ydata()[0]) == (0.9, 0.4)
