"""Which layer agrees best with people: a stand-in for BERTScore, so that the best layer is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

from farthing.core.errors import UsageError
from farthing.core.signature import Signature
from farthing.core.types import Pairs, Scores
from farthing.meta.judgements import Judgements
from farthing.meta.layers import LayerTable, tune_layer
from farthing.meta.read.human import judgements_of


class Layered:
    """Has given F1 scores at layers 0, 2 and 5."""

    model_name, layers = "mine", (0, 2, 5)

    def __init__(self, scores: np.ndarray) -> None:
        self.scores = scores

    def score(self, pairs: Pairs) -> Scores:
        return Scores(0.0, self.scores[0], Signature("layered", {}), parts={"layers_f1": self.scores})


def tuned(scores: np.ndarray, data: Judgements, column: str | None = None) -> LayerTable:
    metric: Any = Layered(scores)
    return tune_layer(metric, data, column)


def test_every_group_is_correlated_by_itself(judged: Callable[..., Judgements]) -> None:
    data = judged(systems=2, items=10)
    noise = np.random.default_rng(3).normal(size=(3, len(data)))
    scores = data.judged() + np.array([[3.0], [0.1], [1.0]]) * noise
    found = tuned(scores, data)
    own = np.array(data.groups)
    for place, group in enumerate(found.groups):
        expected = [stats.pearsonr(data.judged()[own == group], layer[own == group]).statistic for layer in scores]
        assert found.values[:, place] == pytest.approx(expected, abs=1e-12)
    assert found.means == pytest.approx((found.values[:, 0] + found.values[:, 1]) / 2)
    assert (found.groups, found.best) == (("de-en", "cs-en"), 2)


def test_the_table_marks_the_mean_of_the_best_layer() -> None:
    found = LayerTable("mine", (0, 2, 5), ("de-en", "cs-en"), np.array([[0.1, 0.2], [0.9, 0.4], [0.5, 0.6]]))
    table = found.table()
    assert (table.corner, list(table.columns)) == ("layer", ["de-en", "cs-en", "mean"])
    assert table.rows[1] == ("2", pytest.approx([0.9, 0.4, 0.65]))
    assert table.marked == {(1, 2)}
    assert table.notes == ["mine: layer 2 is best; use bertscore(model=mine, layer=2)"]


def test_of_equal_layers_the_lowest_is_best() -> None:
    assert LayerTable("mine", (0, 2, 5), ("all",), np.array([[0.1], [0.9], [0.9]])).best == 2


def test_gaps_are_left_out_and_a_constant_layer_is_worth_nothing() -> None:
    human = [1.0, 2.0, None, 4.0]
    rows = [{"candidate": f"c{n}", "reference": "r", "scores": {"z": score, "da": 1}} for n, score in enumerate(human)]
    data = judgements_of(enumerate(rows, start=1), "human.jsonl")
    found = tuned(np.array([[1.0, 2, 99, 4], [-1, -2, -99, -4], [7, 7, 7, 7]]), data, "scores.z")
    assert found.values.ravel() == pytest.approx([1, -1, 0])
    with pytest.raises(UsageError, match=r"human.jsonl: the human scores of all are fewer than two or all equal"):
        tuned(np.ones((3, 4)), data, "scores.da")
