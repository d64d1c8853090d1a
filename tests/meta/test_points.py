"""The points of scatter plots: outputs, or systems."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from farthing.meta.judgements import Judgements
from farthing.meta.points import scatter_points
from farthing.meta.question import Question
from farthing.meta.read.human import judgements_of
from farthing.meta.scored import Scored
from farthing.meta.study import study


def test_points_of_outputs_are_the_scores_as_they_are(judged: Callable[..., Judgements]) -> None:
    data = judged(items=5)
    distance = Scored("d", -data.judged(), higher_is_better=False)
    points = scatter_points(data, study(data, [distance], Question()))
    assert points.human.tolist() == data.judged().tolist()
    assert points.metrics["d"].tolist() == distance.values.tolist()  # not oriented
    assert points.groups == data.groups


def test_points_of_systems_are_their_means(judged: Callable[..., Judgements]) -> None:
    data = judged(items=5)
    distance = Scored("d", -3 * data.judged(), higher_is_better=False)
    points = scatter_points(data, study(data, [distance], Question(level="system")))
    keys = list(zip(data.groups, data.systems, strict=True))
    own = np.array([keys.index(key) for key in keys])
    means = [data.judged()[own == place].mean() for place in dict.fromkeys(own.tolist())]
    assert points.human == pytest.approx(np.array(means))
    assert points.metrics["d"] == pytest.approx(-3 * np.array(means))
    assert points.groups == ("de-en",) * 4 + ("cs-en",) * 4


def test_systems_judged_as_wholes_have_their_own_scores() -> None:
    systems = {name: {"score": score, "output": ["a", "b"]} for name, score in zip("ABC", (2, 1, 3), strict=True)}
    data = judgements_of([(1, {"lp": "de-en", "reference": ["r", "q"], "systems": systems})])
    metric = Scored("m", np.array([1.0, 3, 0, 0, 5, 6]))
    points = scatter_points(data, study(data, [metric], Question(level="system")))
    assert (points.human.tolist(), points.metrics["m"].tolist()) == ([2, 1, 3], [2, 0, 5.5])
    assert points.groups == ("de-en",) * 3
