"""What the loop is told about a cross-encoder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModelForSequenceClassification, get_linear_schedule_with_warmup

from farthing.learn.cross.objective import pair_objective, squared_error
from farthing.learn.cross.settings import CrossSettings
from farthing.learn.data.dataset import PairDataset, tokenised


@pytest.fixture
def data(encoder: Path, corpus: list[str]) -> PairDataset:
    return PairDataset(tokenised(encoder, corpus[:10], corpus[10:20], 64), np.linspace(0, 1, 10))


def test_the_pace_is_transformers_own(encoder: Path, data: PairDataset) -> None:
    model = AutoModelForSequenceClassification.from_pretrained(encoder, num_labels=1)
    objective = pair_objective(model, 0, data, CrossSettings(warm_up=0.15))
    optimiser = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=1.0)
    peer = get_linear_schedule_with_warmup(optimiser, num_warmup_steps=3, num_training_steps=20)
    for step in range(20):
        assert objective.pace(step, 20) == peer.get_last_lr()[0]
        optimiser.step()
        peer.step()


def test_the_loss_is_the_mean_squared_error(encoder: Path, data: PairDataset) -> None:
    model = AutoModelForSequenceClassification.from_pretrained(encoder, num_labels=1).eval()
    objective = pair_objective(model, 0, data, CrossSettings())
    batch = objective.batch([3, 8])
    inputs = {name: value for name, value in batch.items() if name != "labels"}
    errors = model(**inputs).logits[:, 0].detach().numpy() - data.targets[[3, 8]]
    assert float(squared_error(model, batch).detach()) == pytest.approx(float((errors**2).mean()), rel=1e-5)


def test_frozen_parameters_are_left_out(encoder: Path, data: PairDataset) -> None:
    model = AutoModelForSequenceClassification.from_pretrained(encoder, num_labels=1)
    model.bert.requires_grad_(False)
    [group] = pair_objective(model, 0, data, CrossSettings(rate=0.5)).groups
    assert [tuple(one.shape) for one in group.parameters] == [(1, 32), (1,)]
    assert (group.rate, group.decay) == (0.5, 0.0)
