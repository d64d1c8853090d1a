"""Checkpoints from which a run resumes at the very step: safetensors and JSON, no pickles.

RUN/checkpoint-20/model.safetensors       the model
RUN/checkpoint-20/optimiser.safetensors   the optimiser's moments, named by parameter number and kind
RUN/checkpoint-20/state.json              step, history, random states, and the sizes of the other two files
"""

from __future__ import annotations

import base64
import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from farthing.core.errors import OutputError
from farthing.files.folders import new_folder

if TYPE_CHECKING:
    import torch

MODEL, OPTIMISER, STATE = "model.safetensors", "optimiser.safetensors", "state.json"
KEPT = 2  # checkpoints beside the best one


@dataclass(slots=True)
class LoopState:
    """How far a run is.

    :param pending: the sum of the losses since the last entry of `steps`
    :param best: the highest value of the goal so far, at the check after `best_step` steps
    :param waited: checks since then
    :param processes: how many processes share the work
    """

    step: int = 0
    pending: float = 0.0
    best: float | None = None
    best_step: int = 0
    waited: int = 0
    processes: int = 1
    seconds: float = 0.0
    steps: list[dict[str, float]] = field(default_factory=list)
    checks: list[dict[str, float]] = field(default_factory=list)

    def improved(self, value: float) -> bool:
        """Take in the goal's value at a check, and say whether it is the best so far."""
        if self.best is None or value > self.best:
            self.best, self.best_step, self.waited = value, self.step, 0
            return True
        self.waited += 1
        return False


def place_of(run: Path, step: int) -> Path:
    """Name the folder of the checkpoint after a step."""
    return run / f"checkpoint-{step}"


def write_checkpoint(
    run: Path, model: torch.nn.Module, optimiser: torch.optim.Optimizer, state: LoopState, random: Sequence[str]
) -> None:
    """Write a checkpoint, whole or not at all, and remove those that are no longer needed.

    :param random: one random state per process
    """
    from safetensors.torch import save_file, save_model

    target = place_of(run, state.step)
    shutil.rmtree(target, ignore_errors=True)  # only a damaged one can be in the way
    try:
        run.mkdir(parents=True, exist_ok=True)
        with new_folder(target) as folder:
            save_model(model, str(folder / MODEL))
            save_file(_flat(optimiser), folder / OPTIMISER)
            sizes = {name: (folder / name).stat().st_size for name in (MODEL, OPTIMISER)}
            content = {"state": asdict(state), "random": list(random), "sizes": sizes}
            (folder / STATE).write_text(json.dumps(content), encoding="utf-8")
    except OutputError as error:
        raise OutputError(f"{error}; the same call resumes from the last checkpoint") from error
    except OSError as error:
        raise OutputError(f"{run}: cannot be written: {error.strerror or error}") from error
    _remove_old(run, state)


def _flat(optimiser: torch.optim.Optimizer) -> dict[str, torch.Tensor]:
    moments = optimiser.state_dict()["state"]
    return {f"{number}.{kind}": value.contiguous() for number, one in moments.items() for kind, value in one.items()}


def _remove_old(run: Path, state: LoopState) -> None:
    steps = sorted(step_of(place) for place in _checkpoints(run))
    for step in set(steps[:-KEPT]) - {state.best_step}:
        shutil.rmtree(place_of(run, step))


def read_checkpoint(
    place: Path, model: torch.nn.Module, optimiser: torch.optim.Optimizer
) -> tuple[LoopState, list[str]]:
    """Put the checkpoint into the model and the optimiser; returns the state and the random states."""
    from safetensors.torch import load_file

    content = json.loads((place / STATE).read_text(encoding="utf-8"))
    read_model(place, model)
    moments: dict[int, dict[str, torch.Tensor]] = {}
    for name, value in load_file(place / OPTIMISER).items():
        number, _, kind = name.partition(".")
        moments.setdefault(int(number), {})[kind] = value
    optimiser.load_state_dict({**optimiser.state_dict(), "state": moments})
    return LoopState(**content["state"]), list(content["random"])


def read_model(place: Path, model: torch.nn.Module) -> None:
    """Put the weights of a checkpoint into the model."""
    from safetensors.torch import load_model

    load_model(model, str(place / MODEL))


def last_checkpoint(run: Path) -> Path | None:
    """Find the newest checkpoint that is complete."""
    return max(filter(_is_whole, _checkpoints(run)), key=step_of, default=None)


def remove_checkpoints(run: Path) -> None:
    """Remove every checkpoint of a run, and what a killed one left behind."""
    for place in [*_checkpoints(run), *run.glob(".checkpoint-*")]:
        shutil.rmtree(place)


def step_of(place: Path) -> int:
    """Read the number of steps from a checkpoint's name."""
    return int(place.name.rpartition("-")[2])


def _checkpoints(run: Path) -> list[Path]:
    return [place for place in run.glob("checkpoint-*") if place.name.rpartition("-")[2].isdecimal()]


def _is_whole(place: Path) -> bool:
    """Compare the files with the sizes that were noted: a crash of the machine may leave them empty."""
    try:
        sizes = json.loads((place / STATE).read_text(encoding="utf-8"))["sizes"]
        return all((place / name).stat().st_size == size for name, size in sizes.items())
    except (OSError, ValueError, KeyError):
        return False


def random_state(device: torch.device) -> str:
    """Note the state of the random numbers of this process."""
    import torch

    states = [torch.get_rng_state()] + ([torch.cuda.get_rng_state(device)] if device.type == "cuda" else [])
    return " ".join(base64.b64encode(state.numpy().tobytes()).decode() for state in states)


def set_random_state(noted: str, device: torch.device) -> None:
    """Go back to a state that was noted."""
    import torch

    states = [torch.frombuffer(bytearray(base64.b64decode(one)), dtype=torch.uint8) for one in noted.split()]
    torch.set_rng_state(states[0])
    if device.type == "cuda" and len(states) > 1:
        torch.cuda.set_rng_state(states[1], device)
