"""What learns, how fast, and how the result is measured."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from scipy.stats import kendalltau

from farthing.learn.data.humans import Judged
from farthing.learn.regress.model import EstimatorModel, RowBatch
from farthing.learn.regress.objective import (
    estimates,
    estimator_objective,
    grouped_kendall,
    pace_of,
    squared_errors,
)
from farthing.learn.regress.regress import prepared_estimator
from farthing.learn.regress.rows import ScoredRows, TokenRows
from farthing.learn.regress.settings import RegressSettings
from farthing.students.regressor import EstimatorShape

SETTINGS = RegressSettings(rate=1e-2, encoder_rate=1e-3, decay=0.5, frozen=0.3, threads=1)
SHAPE = EstimatorShape(inputs=("reference",), hidden=(8,))


@pytest.fixture(scope="module")
def model(encoder: Path) -> EstimatorModel:
    return prepared_estimator(encoder, SHAPE, SETTINGS)[0]


@pytest.fixture(scope="module")
def tokens(encoder: Path, rows: Judged) -> TokenRows:
    return TokenRows(encoder, ScoredRows.judged(rows.taking(range(40)), SHAPE.inputs), 64)


def test_each_layer_learns_more_slowly_than_the_one_above(model: EstimatorModel, tokens: TokenRows) -> None:
    groups = estimator_objective(model, tokens, SETTINGS).groups
    assert [(group.rate, group.frozen) for group in groups] == [(1e-2, 0.0), (1e-3, 0.3), (5e-4, 0.3)]
    assert list(groups[1].parameters) == list(model.encoder.encoder.layer[1].parameters())
    assert not any(part.requires_grad for part in model.encoder.embeddings.parameters())
    with_words = RegressSettings(encoder_rate=1e-3, decay=0.5, embeddings=True)
    groups = estimator_objective(model, tokens, with_words).groups
    assert groups[-1].rate == 2.5e-4
    assert model.encoder.embeddings.word_embeddings.weight.requires_grad


def test_of_an_adapted_encoder_only_adapter_mix_and_head_learn(encoder: Path, tokens: TokenRows) -> None:
    model, adapter, _ = prepared_estimator(encoder, SHAPE, SETTINGS, "houlsby")
    assert adapter is not None
    groups = estimator_objective(model, tokens, SETTINGS, adapter).groups
    learning = {id(part) for group in groups for part in group.parameters}
    assert learning == {id(part) for part in model.parameters() if part.requires_grad}


def test_rates_rise_then_stay_or_fall() -> None:
    paces = [pace_of(RegressSettings(warm_up=0.25, falling=falling)) for falling in (False, True)]
    staying, falling = ([pace(step, 8) for step in range(8)] for pace in paces)
    assert staying == [0.5, 1, 1, 1, 1, 1, 1, 1]
    np.testing.assert_allclose(falling, [0.5, 1, 1, 5 / 6, 4 / 6, 3 / 6, 2 / 6, 1 / 6])


def test_scores_do_not_depend_on_the_batch(model: EstimatorModel, tokens: TokenRows) -> None:
    model.eval()
    model.fast = False
    alone = [model(tokens.batch([row])).item() for row in range(len(tokens))]
    np.testing.assert_allclose(estimates(model, tokens), alone, atol=1e-5)


def test_the_error_is_the_mean_square() -> None:
    batch = RowBatch(*(torch.zeros(1) for _ in range(3)), torch.tensor([1.0, 3.0]))  # type: ignore[arg-type]

    class Zero(torch.nn.Module):
        def forward(self, _: RowBatch) -> torch.Tensor:
            return torch.zeros(2)

    assert squared_errors(Zero(), batch).item() == 5


def test_kendall_is_the_mean_of_the_groups() -> None:
    random = np.random.default_rng(1)
    human, scores = random.normal(size=(2, 30))
    groups = ["a"] * 10 + ["b"] * 20
    expected = np.mean([kendalltau(human[:10], scores[:10]).statistic, kendalltau(human[10:], scores[10:]).statistic])
    assert grouped_kendall(human, scores, groups) == pytest.approx(float(expected))
    assert grouped_kendall(human, np.zeros(30), groups) == 0
