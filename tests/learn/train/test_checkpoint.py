"""Checkpoints: complete or not used, exact, and without pickles."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from farthing.core.errors import OutputError
from farthing.learn.train import checkpoint
from farthing.learn.train.checkpoint import LoopState

CPU = torch.device("cpu")


def trained(steps: int = 3) -> tuple[torch.nn.Module, torch.optim.Optimizer]:
    """A model with a tied weight and a frozen part, and an optimiser with moments."""
    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Linear(3, 3), torch.nn.Linear(3, 1))
    model[1].weight = model[0].weight
    model[2].bias.requires_grad_(False)
    optimiser = torch.optim.AdamW(model.parameters(), lr=0.1)
    for _ in range(steps):
        optimiser.zero_grad()
        model(torch.randn(4, 3)).square().sum().backward()
        optimiser.step()
    return model, optimiser


def write(run: Path, state: LoopState) -> None:
    checkpoint.write_checkpoint(run, *trained(), state, ["random"])


def test_model_optimiser_and_state_come_back_exactly(tmp_path: Path) -> None:
    model, optimiser = trained()
    state = LoopState(step=3, pending=0.1 + 0.2, best=1 / 3, best_step=2, steps=[{"step": 1, "loss": 0.7}])
    checkpoint.write_checkpoint(tmp_path, model, optimiser, state, ["one", "two"])
    other, blank = trained(steps=0)
    read, random = checkpoint.read_checkpoint(tmp_path / "checkpoint-3", other, blank)
    assert (read, random) == (state, ["one", "two"])
    assert all(torch.equal(one, two) for one, two in zip(model.parameters(), other.parameters(), strict=True))
    moments = [one.state_dict()["state"] for one in (optimiser, blank)]
    assert moments[0].keys() == moments[1].keys()
    for number, kinds in moments[0].items():
        assert all(torch.equal(value, moments[1][number][kind]) for kind, value in kinds.items())


def test_there_are_no_pickles(tmp_path: Path) -> None:
    write(tmp_path, LoopState(step=1))
    files = {path.name for path in (tmp_path / "checkpoint-1").iterdir()}
    assert files == {"model.safetensors", "optimiser.safetensors", "state.json"}
    json.loads((tmp_path / "checkpoint-1" / "state.json").read_text())


def test_the_two_newest_and_the_best_are_kept(tmp_path: Path) -> None:
    for step in (5, 10, 15, 20, 100):
        write(tmp_path, LoopState(step=step, best_step=10))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["checkpoint-10", "checkpoint-100", "checkpoint-20"]
    assert checkpoint.last_checkpoint(tmp_path) == tmp_path / "checkpoint-100"


@pytest.mark.parametrize("name", ["model.safetensors", "optimiser.safetensors", "state.json"])
def test_a_torn_checkpoint_is_not_used_and_makes_room(tmp_path: Path, name: str) -> None:
    for step in (5, 10):
        write(tmp_path, LoopState(step=step))
    torn = tmp_path / "checkpoint-10" / name
    torn.write_bytes(torn.read_bytes()[:50])
    assert checkpoint.last_checkpoint(tmp_path) == tmp_path / "checkpoint-5"
    torn.unlink()
    assert checkpoint.last_checkpoint(tmp_path) == tmp_path / "checkpoint-5"
    write(tmp_path, LoopState(step=10))
    assert checkpoint.last_checkpoint(tmp_path) == tmp_path / "checkpoint-10"


def test_what_is_no_checkpoint(tmp_path: Path) -> None:
    for name in ("checkpoint-x", "checkpoint-", "checkpoint-7"):
        (tmp_path / name).mkdir()
    assert checkpoint.last_checkpoint(tmp_path) is None
    assert checkpoint.last_checkpoint(tmp_path / "missing") is None


def test_a_run_is_cleaned(tmp_path: Path) -> None:
    write(tmp_path, LoopState(step=5))
    (tmp_path / ".checkpoint-10.abc").mkdir()
    (tmp_path / "logs").mkdir()
    checkpoint.remove_checkpoints(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["logs"]


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("a file")
    with pytest.raises(OutputError, match="cannot be written"):
        write(tmp_path / "run", LoopState(step=1))


def test_random_numbers_continue_where_they_were() -> None:
    torch.manual_seed(4)
    torch.rand(3)
    noted = checkpoint.random_state(CPU)
    wanted = torch.rand(5)
    torch.manual_seed(99)
    checkpoint.set_random_state(noted, CPU)
    assert torch.equal(torch.rand(5), wanted)


def test_the_first_of_equal_values_is_the_best() -> None:
    state = LoopState()
    found = []
    for step, value in enumerate([0.2, 0.5, 0.5, 0.1], start=1):
        state.step = step
        found.append(state.improved(value))
    assert found == [True, True, False, False]
    assert (state.best, state.best_step, state.waited) == (0.5, 2, 2)
