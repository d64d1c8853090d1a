"""The layer that agrees best with people, on scores whose correlations are known."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from farthing.core.errors import UsageError
from farthing.core.types import Pairs
from farthing.meta.judgements import Judgements
from farthing.meta.layers import LayerTable, tune_layer
from farthing.tables.grid import as_text

HUMAN = np.array([1.0, 2.0, 3.0, np.nan, 1.0, 2.0, 3.0])


def judged(human: np.ndarray = HUMAN) -> Judgements:
    texts = Pairs.of([f"c{row}" for row in range(7)], ["r"] * 7)
    groups = ("de-en",) * 4 + ("cs-en",) * 3
    return Judgements(texts, ("A",) * 7, tuple("0123456"), groups, {"da": human}, path="x.jsonl")


def metric(*layers: list[float]) -> SimpleNamespace:
    """A BERTScore of two layers with these scores."""
    scores = SimpleNamespace(parts={"layers_f1": np.array(layers)})
    return SimpleNamespace(model="tiny", layers=(1, 2), score=lambda texts: scores)


def test_correlations_of_every_layer_and_group() -> None:
    rising, falling = [1.0, 2.0, 3.0, 0.0, 5.0, 6.0, 7.0], [3.0, 2.0, 1.0, 0.0, 1.0, 2.0, 3.0]
    found = tune_layer(metric(falling, rising), judged())  # type: ignore[arg-type]
    assert found.groups == ("de-en", "cs-en")
    assert found.values == pytest.approx(np.array([[-1, 1], [1, 1]]))
    assert (found.best, found.means.tolist()) == (2, pytest.approx([0, 1]))


def test_constant_scores_correlate_with_nothing() -> None:
    found = tune_layer(metric([0.5] * 7, [0.5] * 7), judged())  # type: ignore[arg-type]
    assert found.values.tolist() == [[0, 0], [0, 0]]
    assert found.best == 1  # of equal layers the cheapest


@pytest.mark.parametrize("human", [[1, 1, 1, 1, 1, 2, 3], [1, np.nan, np.nan, np.nan, 1, 2, 3]])
def test_a_group_without_a_correlation_is_named(human: list[float]) -> None:
    with pytest.raises(UsageError, match="scores of de-en are fewer than two or all equal"):
        tune_layer(metric([0.5] * 7, [0.5] * 7), judged(np.array(human, dtype=float)))  # type: ignore[arg-type]


def test_the_table_marks_the_best_layer_and_says_how_to_use_it() -> None:
    text = as_text(LayerTable("tiny", (1, 2), ("de-en",), np.array([[0.2], [0.4]])).table())
    assert text.splitlines()[3].split() == ["2", "0.400", "0.400*"]
    assert "use bertscore(model=tiny, layer=2)" in text
