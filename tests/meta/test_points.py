"""The points of a scatter plot: outputs, or systems as the metrics score them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from farthing.meta.judgements import Judgements
from farthing.meta.points import scatter_points
from farthing.meta.question import Question
from farthing.meta.scored import Scored
from farthing.meta.study import study


def test_one_point_per_output(judged: Callable[..., Judgements]) -> None:
    data = judged()
    metric = Scored("m", np.arange(float(len(data))), higher_is_better=False)
    points = scatter_points(data, study(data, [metric], Question()))
    assert points.metrics["m"].tolist() == metric.values.tolist()  # as the metric gives them
    assert points.human.tolist() == data.judged().tolist()
    assert points.groups == data.groups


def test_one_point_per_system(judged: Callable[..., Judgements]) -> None:
    data = judged(systems=3, items=4)
    metric = Scored("m", np.arange(24.0), higher_is_better=False)
    points = scatter_points(data, study(data, [metric], Question(level="system")))
    assert points.metrics["m"] == pytest.approx(np.arange(24.0).reshape(6, 4).mean(axis=1))
    assert points.human == pytest.approx(data.judged().reshape(6, 4).mean(axis=1))
    assert points.groups == ("de-en",) * 3 + ("cs-en",) * 3
