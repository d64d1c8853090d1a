"""The differentiable form: same numbers as the metric, gradients checked against finite differences."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from farthing.align.greedy import f1, greedy
from farthing.core.errors import UsageError
from farthing.core.types import Pairs
from farthing.metrics.bertscore.bertscore import BertScore
from farthing.metrics.bertscore.loss import BertScoreLoss, soft_scores


def inputs() -> tuple[torch.Tensor, ...]:
    generator = torch.Generator().manual_seed(0)
    left, right = (torch.randn(3, size, 5, dtype=torch.double, generator=generator) for size in (4, 6))
    weights = [torch.rand(3, size, dtype=torch.double, generator=generator) + 0.1 for size in (4, 6)]
    weights[0][1, 3:], weights[1][2, 4:] = 0, 0  # padding
    return left, right, *weights


def test_equal_to_the_kernel_without_padding() -> None:
    left, right, a, b = inputs()
    found = torch.stack(soft_scores(left, right, a, b)).numpy()
    for row in range(3):
        m, n = int((a[row] > 0).sum()), int((b[row] > 0).sum())
        one, two = (x[row, :k].numpy() for x, k in ((left, m), (right, n)))
        one, two = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in (one, two))
        precision, recall = greedy(one, two, a[row, :m].numpy(), b[row, :n].numpy())
        assert found[:, row] == pytest.approx([precision, recall, f1(precision, recall)])


def test_gradients_against_finite_differences() -> None:
    left, right, a, b = inputs()
    left.requires_grad_()
    right.requires_grad_()
    assert torch.autograd.gradcheck(lambda x, y: soft_scores(x, y, a, b), (left, right))


@pytest.mark.parametrize("idf", [False, True])
def test_certain_tokens_give_the_metric_and_training_lowers_the_loss(
    tiny_model: Callable[..., Path], idf: bool
) -> None:
    references = ["the cat sat on the mat", "nobody expected rain"]
    metric = BertScore(model=str(tiny_model("bert")), layer=2, idf=idf)
    state = metric.prepare([[Pairs.of(references, references)]])
    metric = metric if state is None else metric.prepared(state)
    tokenizer = metric.engine.encoder.tokenizer
    texts = ["the dog sat", "the old bridge"]
    contents = tokenizer.contents(texts)
    certain = torch.zeros(2, max(map(len, contents)), tokenizer.size)
    for row, ids in enumerate(contents):
        certain[row, torch.arange(len(ids)), torch.tensor(ids)] = 1
    loss = BertScoreLoss(metric)
    assert float(loss(certain, references)) == pytest.approx(
        1 - metric.score(Pairs.of(texts, references)).corpus, abs=1e-5
    )
    logits = (certain[:, :3] * 2).clone().requires_grad_()
    optimiser = torch.optim.Adam([logits], lr=0.2)
    losses = []
    for _ in range(12):
        optimiser.zero_grad()
        value = loss(logits.softmax(-1), references)
        value.backward()
        optimiser.step()
        losses.append(float(value.detach()))
    assert losses[-1] < losses[0] - 0.01


def test_gradients_flow_through_the_encoder(tiny_model: Callable[..., Path]) -> None:
    metric = BertScore(model=str(tiny_model("bert")), layer=2)
    encoder = metric.engine.encoder
    encoder.model.double()  # type: ignore[attr-defined]
    try:
        loss = BertScoreLoss(metric)
        logits = torch.randn(
            1, 2, encoder.tokenizer.size, dtype=torch.double, generator=torch.Generator().manual_seed(1)
        )
        chosen = logits[..., :3].clone().requires_grad_()

        def of(part: torch.Tensor) -> torch.Tensor:
            return loss(torch.cat([part, logits[..., 3:]], dim=-1).softmax(-1), ["rain"])

        assert torch.autograd.gradcheck(of, (chosen,), eps=1e-6, atol=1e-5)
    finally:
        encoder.model.float()  # type: ignore[attr-defined]


def test_the_loss_refuses_what_it_cannot_differentiate(tiny_model: Callable[..., Path]) -> None:
    with pytest.raises(UsageError, match="without compat"):
        BertScoreLoss(BertScore(model=str(tiny_model("bert")), layer=2, compat="bert_score"))
