"""The training loop against a plain torch loop, and against itself after a stop."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import AutoModelForSequenceClassification, TrainerCallback

from farthing.learn.cross.distil import distil_table
from farthing.learn.cross.students import Start
from farthing.learn.data.dataset import PairDataset, tokenised
from farthing.learn.data.lengths import bucketed
from farthing.learn.data.store import PairTable
from farthing.learn.train.settings import Settings
from farthing.learn.train.training import fit


def fresh(folder: Path, dropout: float) -> Any:
    torch.manual_seed(11)
    return AutoModelForSequenceClassification.from_pretrained(
        folder, num_labels=1, hidden_dropout_prob=dropout, attention_probs_dropout_prob=dropout
    )


class Losses(TrainerCallback):
    """Keeps the loss of every step, and the head after it."""

    def __init__(self) -> None:
        self.heads: list[torch.Tensor] = []

    def on_step_end(self, args: Any, state: Any, control: Any, model: Any = None, **kwargs: Any) -> None:
        self.heads.append(model.classifier.weight.detach().clone())


def plain_loop(model: Any, data: PairDataset, settings: Settings, steps: int, total: int) -> list[torch.Tensor]:
    """What the paper describes, written down with nothing but torch."""
    optimizer = torch.optim.Adam(model.parameters(), lr=settings.rate)
    warm = math.ceil(settings.warmup * total)
    order = bucketed(data.lengths, settings.batch, settings.seed, 0)
    heads = []
    model.train()
    for step in range(steps):
        rate = settings.rate * (step / warm if step < warm else (total - step) / (total - warm))
        for group in optimizer.param_groups:
            group["lr"] = rate
        chosen = [data[row] for row in order[step * settings.batch : (step + 1) * settings.batch]]
        longest = max(len(row.ids) for row, _ in chosen)
        fill = [[0] * (longest - len(row.ids)) for row, _ in chosen]
        ids = torch.tensor([row.ids + rest for (row, _), rest in zip(chosen, fill, strict=True)])
        types = torch.tensor([row.types + rest for (row, _), rest in zip(chosen, fill, strict=True)])
        mask = torch.tensor([[1] * len(row.ids) + rest for (row, _), rest in zip(chosen, fill, strict=True)])
        scores = model(input_ids=ids, token_type_ids=types, attention_mask=mask).logits[:, 0]
        loss = ((scores - torch.tensor([target for _, target in chosen])) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), settings.clip)
        optimizer.step()
        heads.append(model.classifier.weight.detach().clone())
    return heads


def test_equals_a_plain_torch_loop_for_20_steps(encoder: Path, scored_table: PairTable, tmp_path: Path) -> None:
    settings = Settings(epochs=2, batch=16, rate=1e-3, threads=1)
    rows = tokenised(encoder, scored_table.candidates, scored_table.references, 64)
    data = PairDataset(rows, scored_table.scores)
    kept = Losses()
    trained = fresh(encoder, 0.0)
    fit(trained, 0, data, None, tmp_path / "run", settings, (kept,))
    total = 2 * math.ceil(len(data) / 16)
    wanted = plain_loop(fresh(encoder, 0.0), data, settings, 20, total)
    for step in range(20):
        assert torch.allclose(kept.heads[step], wanted[step], atol=1e-5, rtol=0), step


def weights(folder: Path) -> dict[str, torch.Tensor]:
    return dict(AutoModelForSequenceClassification.from_pretrained(folder).state_dict())


SETTINGS = Settings(epochs=2, batch=16, rate=1e-3, checks=5, threads=1)


def same(first: Path, second: Path) -> bool:
    one, two = weights(first), weights(second)
    return all(torch.equal(one[name], two[name]) for name in one)


def test_same_seed_same_weights(encoder: Path, scored_table: PairTable, tmp_path: Path) -> None:
    for name in ("a", "b"):
        distil_table(scored_table, tmp_path / name, Start(str(encoder)), SETTINGS)
    assert same(tmp_path / "a", tmp_path / "b")


class Killed(Exception):
    """Somebody pulled the plug."""


class Kill(TrainerCallback):
    """Pulls the plug in the middle of a step of the second epoch."""

    def __init__(self, step: int) -> None:
        self.step = step

    def on_step_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        if state.global_step == self.step:
            raise Killed


@pytest.mark.parametrize("step", [13, 36])
def test_killed_and_resumed_gives_the_same_weights(
    encoder: Path, scored_table: PairTable, tmp_path: Path, step: int
) -> None:
    distil_table(scored_table, tmp_path / "whole", Start(str(encoder)), SETTINGS)
    with pytest.raises(Killed):
        distil_table(scored_table, tmp_path / "killed", Start(str(encoder)), SETTINGS, callbacks=(Kill(step),))
    assert not (tmp_path / "killed").exists()
    resumed = distil_table(scored_table, tmp_path / "killed", Start(str(encoder)), SETTINGS)
    assert same(tmp_path / "whole", tmp_path / "killed")
    assert [one["step"] for one in resumed.history.checks] == [10, 20, 30, 40, 48]


def test_a_torn_checkpoint_is_not_used(encoder: Path, scored_table: PairTable, tmp_path: Path) -> None:
    distil_table(scored_table, tmp_path / "whole", Start(str(encoder)), SETTINGS)
    with pytest.raises(Killed):
        distil_table(scored_table, tmp_path / "killed", Start(str(encoder)), SETTINGS, callbacks=(Kill(25),))
    (tmp_path / "killed.run" / "checkpoint-20" / "trainer_state.json").unlink()
    distil_table(scored_table, tmp_path / "killed", Start(str(encoder)), SETTINGS)
    assert same(tmp_path / "whole", tmp_path / "killed")


def test_buckets_hold_every_row_once_and_little_padding() -> None:
    lengths = np.random.default_rng(0).integers(5, 200, 4001)
    order = bucketed(lengths, 32, seed=1, epoch=0)
    assert sorted(order) == list(range(4001))
    assert order == bucketed(lengths, 32, seed=1, epoch=0) != bucketed(lengths, 32, seed=1, epoch=1)
    padded = sum(max(lengths[order[at : at + 32]]) * len(order[at : at + 32]) for at in range(0, 4001, 32))
    assert padded / lengths.sum() < 1.1
    assert len(order[4000:]) == 1  # the torn batch comes last
