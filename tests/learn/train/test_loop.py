"""The training loop against plain torch loops, and against itself after an interruption."""

from __future__ import annotations

import json
import math
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForSequenceClassification

from farthing.core.errors import OutputError, UsageError
from farthing.core.progress import Progress, watching
from farthing.learn.cross.objective import pair_objective, squared_error
from farthing.learn.cross.settings import CrossSettings
from farthing.learn.data.dataset import PairDataset, tokenised
from farthing.learn.data.lengths import bucketed
from farthing.learn.data.store import PairTable
from farthing.learn.train.checkpoint import last_checkpoint
from farthing.learn.train.loop import train
from farthing.learn.train.objective import Objective, ParameterGroup, linear
from farthing.learn.train.settings import Settings

Make = Callable[..., Objective[Any]]
SETTINGS = Settings(epochs=3, batch=8, rate=1e-2, checks=4, seed=5)


def weights(objective: Objective[Any]) -> list[torch.Tensor]:
    return [one.detach().clone() for one in objective.model.parameters()]


def equal(first: list[torch.Tensor], second: list[torch.Tensor]) -> bool:
    return all(torch.equal(one, two) for one, two in zip(first, second, strict=True))


def batches(lengths: Any, settings: Settings, epochs: int) -> Iterator[list[int]]:
    for epoch in range(epochs):
        order = bucketed(lengths, settings.batch, settings.seed, epoch)
        yield from (order[at : at + settings.batch] for at in range(0, len(order), settings.batch))


def test_it_equals_a_plain_loop_with_groups_bit_for_bit(objective: Make) -> None:
    """Two groups with their own rate and decay, a schedule by torch, clipping, and dropout."""
    parts = (lambda model: list(model[0].parameters()), lambda model: list(model[3].parameters()))
    one = objective()
    groups = [ParameterGroup(parts[0](one.model), 1e-2, decay=0.1), ParameterGroup(parts[1](one.model), 3e-3)]
    one = replace(one, groups=groups)
    history = train(one, replace(SETTINGS, clip=0.5))
    other = objective()
    optimiser = torch.optim.AdamW(
        [
            {"params": parts[0](other.model), "lr": 1e-2, "weight_decay": 0.1},
            {"params": parts[1](other.model), "lr": 3e-3, "weight_decay": 0.0},
        ],
        fused=True,
    )
    steps = 3 * math.ceil(50 / 8)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: linear(step, steps, 2, first=1))
    torch.manual_seed(SETTINGS.seed)
    other.model.train()
    losses = []
    for rows in batches(other.lengths, SETTINGS, 3):
        loss = other.loss(other.model, other.batch(rows))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_([p for part in parts for p in part(other.model)], 0.5)
        optimiser.step()
        schedule.step()
        losses.append(float(loss.detach()))
    assert equal(weights(one), weights(other))
    assert [entry["loss"] for entry in history.steps] == losses
    assert not one.model.training


def fresh(folder: Path) -> Any:
    torch.manual_seed(11)
    return AutoModelForSequenceClassification.from_pretrained(
        folder, num_labels=1, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0
    )


def plain_heads(model: Any, data: PairDataset, settings: CrossSettings, steps: int, total: int) -> list[torch.Tensor]:
    """What the paper describes, written down with nothing but torch: Adam, linear decay after a warm-up."""
    optimizer = torch.optim.Adam(model.parameters(), lr=settings.rate, fused=True)
    warm = math.ceil(settings.warm_up * total)
    order = bucketed(data.lengths, settings.batch, settings.seed, 0)
    heads = []
    model.train()
    for step in range(steps):
        heads.append(model.classifier.weight.detach().clone())
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
    return heads


def test_a_cross_encoder_equals_a_plain_torch_loop_for_20_steps(encoder: Path, scored_table: PairTable) -> None:
    settings = CrossSettings(epochs=2, batch=16, rate=1e-3, threads=1)
    data = PairDataset(tokenised(encoder, scored_table.candidates, scored_table.references, 64), scored_table.scores)
    model, heads = fresh(encoder), []

    def loss(one: torch.nn.Module, batch: Any) -> torch.Tensor:
        heads.append(model.classifier.weight.detach().clone())
        return squared_error(one, batch)

    train(replace(pair_objective(model, 0, data, settings), loss=loss), settings)
    wanted = plain_heads(fresh(encoder), data, settings, 20, total=2 * math.ceil(len(data) / 16))
    for step in range(20):
        assert torch.equal(heads[step], wanted[step]), step


class Killed(Exception):
    """Somebody pulled the plug."""


def killing(one: Objective[Any], step: int) -> Objective[Any]:
    """The same task, which ends in the middle of a step."""
    calls = []

    def loss(model: torch.nn.Module, batch: Any) -> torch.Tensor:
        calls.append(1)
        if len(calls) > step:
            raise Killed
        return one.loss(model, batch)

    return replace(one, loss=loss)


def first_weight(one: Objective[Any]) -> Callable[[], dict[str, float]]:
    return lambda: {"weight": float(one.model[0].weight.detach().sum())}  # type: ignore[index]


@pytest.mark.parametrize("step", [2, 7, 13, 20])
def test_interrupted_and_resumed_is_not_interrupted(objective: Make, tmp_path: Path, step: int) -> None:
    """Weights and history are the same, dropout and losses between two records included."""
    settings = replace(SETTINGS, epochs=3.5)
    whole = objective()
    wanted = train(replace(whole, check=first_weight(whole)), settings, tmp_path / "whole")
    one = objective()
    with pytest.raises(Killed):
        train(killing(replace(one, check=first_weight(one)), step), settings, tmp_path / "run")
    again = objective()
    torch.manual_seed(99)
    history = train(replace(again, check=first_weight(again)), settings, tmp_path / "run")
    assert equal(weights(whole), weights(again))
    assert history.facts() == wanted.facts()
    assert json.dumps(history.facts()) == json.dumps(wanted.facts())


def test_a_finished_run_is_not_trained_again(objective: Make, tmp_path: Path) -> None:
    one, two = objective(), objective()
    train(one, SETTINGS, tmp_path)
    train(killing(two, 0), SETTINGS, tmp_path)
    assert equal(weights(one), weights(two))


SCRIPT = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from conftest import make_objective
from dataclasses import replace
from farthing.learn.train import checkpoint
from farthing.learn.train.loop import train
from farthing.learn.train.settings import Settings

moment, one, writes = sys.argv[3], make_objective(), []
def loss(model, batch, steps=[]):
    steps.append(1)
    if moment == "step" and len(steps) == 15:
        os.kill(os.getpid(), signal.SIGKILL)
    return one.loss(model, batch)
def flat(optimiser, whole=checkpoint._flat):
    writes.append(1)
    if moment == "checkpoint" and len(writes) == 3:  # the model is written, the rest is not
        os.kill(os.getpid(), signal.SIGKILL)
    return whole(optimiser)
checkpoint._flat = flat
train(replace(one, loss=loss), Settings(epochs=3, batch=8, rate=1e-2, checks=4, seed=5), Path(sys.argv[2]))
"""


@pytest.mark.parametrize("moment", ["step", "checkpoint"])
def test_a_killed_process_resumes_to_the_same_weights(objective: Make, tmp_path: Path, moment: str) -> None:
    here, run = Path(__file__).parent, tmp_path / "run"
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(here), str(run), moment], check=False)
    assert done.returncode == -signal.SIGKILL
    place = last_checkpoint(run)
    assert place is not None
    assert place.name == "checkpoint-12"
    whole, resumed = objective(), objective()
    wanted = train(whole, SETTINGS)
    assert train(resumed, SETTINGS, run).facts() == wanted.facts()
    assert equal(weights(whole), weights(resumed))


def test_a_group_can_be_frozen_for_some_epochs(objective: Make, tmp_path: Path) -> None:
    one = objective()
    first, last = list(one.model[0].parameters()), list(one.model[3].parameters())  # type: ignore[index]
    start = [value.detach().clone() for value in first]
    seen: list[bool] = []

    def loss(model: torch.nn.Module, batch: Any) -> torch.Tensor:
        seen.append(equal([value.detach() for value in first], start))
        return one.loss(model, batch)

    groups = [ParameterGroup(last, 1e-2), ParameterGroup(first, 1e-2, frozen=1.0)]
    train(replace(one, groups=groups, loss=loss), SETTINGS)
    per_epoch = math.ceil(50 / 8)
    assert seen == [True] * (per_epoch + 1) + [False] * (2 * per_epoch - 1)


def test_the_best_check_gives_the_weights(objective: Make, tmp_path: Path) -> None:
    one, kept, values = objective(), [], iter([0.1, 0.5, 0.3, 0.2])

    def check() -> dict[str, float]:
        kept.append(weights(one))
        return {"goal": next(values)}

    history = train(replace(one, check=check, goal="goal"), SETTINGS, tmp_path)
    assert [row["goal"] for row in history.checks] == [0.1, 0.5, 0.3, 0.2]
    assert equal(weights(one), kept[1])
    assert not equal(kept[1], kept[3])


def test_patience_ends_a_run_early_and_resuming_does_not_continue_it(objective: Make, tmp_path: Path) -> None:
    one, values = objective(), iter([0.1, 0.5, 0.3, 0.2, 0.9])
    patient = replace(one, check=lambda: {"goal": next(values)}, goal="goal", patience=2)
    history = train(patient, replace(SETTINGS, checks=10), tmp_path)
    assert [row["goal"] for row in history.checks] == [0.1, 0.5, 0.3, 0.2]
    again = objective()
    resumed = train(replace(again, check=dict, goal="goal", patience=2), replace(SETTINGS, checks=10), tmp_path)
    assert resumed.checks == history.checks
    assert equal(weights(one), weights(again))


def test_a_goal_needs_checkpoints(objective: Make) -> None:
    with pytest.raises(UsageError, match="needs a folder"):
        train(replace(objective(), goal="goal", check=dict), SETTINGS)


def test_a_loss_that_is_not_a_number_is_a_sentence(objective: Make) -> None:
    one = objective()
    broken = replace(one, loss=lambda model, batch: one.loss(model, batch) * float("nan"))
    with pytest.raises(UsageError, match="the loss is nan after 0 steps: choose a lower rate"):
        train(broken, SETTINGS)


def test_one_line_per_check(objective: Make) -> None:
    one, lines = objective(), []
    train(replace(one, check=lambda: {"loss": 0.25, "pearson": 0.5}), SETTINGS, log=lines.append)
    assert len(lines) == 4
    assert lines[0].startswith("step 6/21: held-out loss 0.25000, Pearson 0.5000; about 0 min left")
    lines.clear()
    train(objective(), SETTINGS, log=lines.append, each_epoch=True)
    assert [line.partition(":")[0] for line in lines] == ["step 7/21", "step 14/21", "step 21/21"]
    assert "training loss" in lines[0]


PROCESSES = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from conftest import make_objective
from safetensors.torch import save_model
from farthing.learn.train.loop import train
from farthing.learn.train.settings import Settings

one = make_objective()
one.model[2].p = 0.0
run = Path(sys.argv[2])
history = train(one, Settings(epochs=2, batch=8, rate=1e-2, checks=2, seed=5), run)
if history.is_main:
    save_model(one.model, str(run / "final.safetensors"))
"""


def test_two_processes_share_the_batches(objective: Make, tmp_path: Path) -> None:
    """Each step follows the mean gradient of two batches; only the first process writes."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    shared = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "ACCELERATE_USE_CPU": "true"}
    command = [sys.executable, "-c", PROCESSES, str(Path(__file__).parent), str(tmp_path)]
    both = [subprocess.Popen(command, env={**os.environ, **shared, "RANK": rank, "LOCAL_RANK": rank}) for rank in "01"]
    assert [one.wait(timeout=300) for one in both] == [0, 0]
    other = objective()
    other.model[2].p = 0.0  # type: ignore[index]
    optimiser = torch.optim.AdamW(other.model.parameters(), lr=1e-2, weight_decay=0.0, fused=True)
    steps = 2 * 4  # seven batches for two processes: the last step begins again
    for step in range(steps):
        order = list(batches(other.lengths, replace(SETTINGS, batch=8), 2))[7 * (step // 4) :][:7]
        place = step % 4
        losses = [other.loss(other.model, other.batch(order[(2 * place + n) % 7])) for n in (0, 1)]
        for group in optimiser.param_groups:
            group["lr"] = 1e-2 * linear(step, steps, 2, first=1)
        optimiser.zero_grad()
        (sum(losses) / 2).backward()  # type: ignore[union-attr]
        torch.nn.utils.clip_grad_norm_(other.model.parameters(), 1.0)
        optimiser.step()
    from safetensors.torch import load_file

    final = load_file(tmp_path / "final.safetensors")
    for name, value in other.model.state_dict().items():
        assert torch.allclose(final[name], value, atol=1e-6), name
    with pytest.raises(OutputError, match="started with 2 processes, not 1"):
        train(objective(), replace(SETTINGS, epochs=2, checks=2), tmp_path)


def test_who_watches_sees_every_step(objective: Make) -> None:
    steps: list[int] = []
    opened: list[tuple[str, int | None]] = []

    @contextmanager
    def bar(title: str, total: int | None = None) -> Iterator[Progress]:
        opened.append((title, total))
        yield steps.append

    with watching(bar):
        made = objective()
        train(made, SETTINGS)
    total = 3 * math.ceil(len(made.lengths) / 8)
    assert opened == [("training", total)]
    assert sum(steps) == total
