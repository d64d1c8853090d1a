"""The training loop: AdamW over groups of parameters, batches of equal lengths, checks, exact resumption.

Several GPUs or machines: start the same command through accelerate's launcher; every process takes its own batches and
only the first one writes. A run that was killed resumes from its last complete checkpoint and ends with the same
weights as one that was not interrupted.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Generic

from farthing.core.errors import OutputError, UsageError
from farthing.core.progress import Log, phase, silent_log
from farthing.learn.data.lengths import bucketed
from farthing.learn.train import checkpoint
from farthing.learn.train.board import Board
from farthing.learn.train.checkpoint import LoopState
from farthing.learn.train.history import History, check_line, loss_line
from farthing.learn.train.objective import Objective, Tensors
from farthing.learn.train.processes import make_accelerator
from farthing.learn.train.settings import Settings

if TYPE_CHECKING:
    import torch

RECORDS = 200  # entries of the training loss per run


def train(
    objective: Objective[Tensors],
    settings: Settings,
    run: Path | None = None,
    *,
    log: Log = silent_log,
    each_epoch: bool = False,
    logs: Path | None = None,
) -> History:
    """Train a model in place; the same seed gives the same weights.

    :param run: the folder of checkpoints, from which an interrupted run resumes; without it none are written
    :param log: is told about every check
    :param each_epoch: check after every epoch, instead of as often as the settings say
    :param logs: the folder of TensorBoard's logs, if it is installed
    """
    if objective.goal is not None and run is None:
        raise UsageError("choosing the best check needs a folder for checkpoints")
    return Loop(objective, settings, run, log, each_epoch, Board(logs)).run_all()


class Loop(Generic[Tensors]):
    """One training run."""

    def __init__(
        self,
        objective: Objective[Tensors],
        settings: Settings,
        run: Path | None,
        log: Log,
        each_epoch: bool,
        board: Board,
    ) -> None:
        import torch

        groups = objective.groups
        self.accelerator = make_accelerator(unused=any(group.frozen for group in groups))
        self.processes, self.number = self.accelerator.num_processes, self.accelerator.process_index
        self.objective, self.settings, self.run, self.log, self.board = objective, settings, run, log, board
        torch.manual_seed(settings.seed + self.number)
        self.order: tuple[int, list[list[int]]] = 0, self.batches(0)
        self.per_epoch = math.ceil(len(self.order[1]) / self.processes)
        self.steps = max(1, math.ceil(settings.epochs * self.per_epoch))
        self.every = self.per_epoch if each_epoch else math.ceil(self.steps / settings.checks)
        self.trained = [one for group in groups for one in group.parameters]
        optimiser = torch.optim.AdamW(
            [{"params": list(one.parameters), "lr": one.rate, "weight_decay": one.decay} for one in groups],
            fused=True,  # one pass over the weights instead of ten
        )
        objective.model.to(self.accelerator.device)
        self.model, self.optimiser = self.accelerator.prepare(objective.model, optimiser)
        self.state = LoopState(processes=self.processes)

    @property
    def is_main(self) -> bool:
        """True in the process that writes."""
        return bool(self.accelerator.is_main_process)

    def run_all(self) -> History:
        """Train to the end, or until the goal has not improved for long."""
        self.resume()
        first, began, before = self.state.step, time.monotonic(), self.state.seconds
        self.model.train()
        with phase("training", self.steps - first) as progress:
            while self.state.step < self.steps and not self.is_stopped():
                self.step()
                progress(1)
                self.state.seconds = before + time.monotonic() - began
                if self.state.step % self.every == 0 or self.state.step == self.steps:
                    pace = (time.monotonic() - began) / (self.state.step - first)
                    self.mark(pace * (self.steps - self.state.step))
        return self.finish()

    def resume(self) -> None:
        """Begin at the last complete checkpoint, if there is one."""
        place = checkpoint.last_checkpoint(self.run) if self.run else None
        if place is None:
            return
        state, random = checkpoint.read_checkpoint(place, self.objective.model, self.optimiser)
        if state.processes != self.processes:
            raise OutputError(
                f"{self.run}: the run was started with {state.processes} processes, not {self.processes}; "
                "start as many, or remove the folder"
            )
        self.state = state
        checkpoint.set_random_state(random[self.number], self.accelerator.device)

    def step(self) -> None:
        """Take one step."""
        from accelerate.utils import send_to_device

        self.set_rates()
        batch = send_to_device(self.objective.batch(self.rows()), self.accelerator.device)
        loss = self.objective.loss(self.model, batch)
        self.optimiser.zero_grad()
        self.accelerator.backward(loss)
        self.accelerator.clip_grad_norm_(self.trained, self.settings.clip)
        self.optimiser.step()
        self.record(loss)

    def set_rates(self) -> None:
        """Set the rate of every group for this step, and freeze or free its parameters."""
        step = self.state.step
        pace = self.objective.pace(step, self.steps)
        for one, group in zip(self.objective.groups, self.optimiser.param_groups, strict=True):
            group["lr"] = one.rate * pace
            if one.frozen:
                for parameter in one.parameters:
                    parameter.requires_grad_(step >= one.frozen * self.per_epoch)

    def rows(self) -> Sequence[int]:
        """The rows of this step that this process takes."""
        epoch, step = divmod(self.state.step, self.per_epoch)
        if self.order[0] != epoch:
            self.order = epoch, self.batches(epoch)
        batches = self.order[1]
        return batches[(step * self.processes + self.number) % len(batches)]  # the last step may begin again

    def batches(self, epoch: int) -> list[list[int]]:
        """Put the rows of an epoch into batches, for all processes."""
        if self.objective.batches is not None:
            return self.objective.batches(epoch)
        size = self.settings.batch
        rows = bucketed(self.objective.lengths, size, self.settings.seed, epoch)
        return [rows[begin : begin + size] for begin in range(0, len(rows), size)]

    def record(self, loss: torch.Tensor) -> None:
        """Count the step and note its loss."""
        state, value, size = self.state, float(loss.detach()), max(1, self.steps // RECORDS)
        if not math.isfinite(value):
            raise UsageError(f"the loss is {value} after {state.step} steps: choose a lower rate")
        state.step += 1
        state.pending += value
        since = state.step % size or size
        if since == size or state.step == self.steps:
            state.steps.append({"step": state.step, "loss": state.pending / since})
            self.board.add("train", state.step, {"loss": state.pending / since, "rate": self.rate})
            state.pending = 0.0

    @property
    def rate(self) -> float:
        """The rate of the first group at the last step."""
        return float(self.optimiser.param_groups[0]["lr"])

    def mark(self, seconds_left: float) -> None:
        """Check the model, write a checkpoint, and say how the run goes."""
        state, goal = self.state, self.objective.goal
        figures = self.figures()
        if figures:
            state.checks.append({"step": state.step, "epoch": state.step / self.per_epoch, **figures})
            self.board.add("check", state.step, figures)
        if goal is not None:
            state.improved(figures[goal])
        self.write()
        if self.is_main:
            line = check_line(state.step, self.steps, figures, seconds_left) if figures else ""
            self.log(line or loss_line(state.step, self.steps, state.steps, seconds_left))

    def figures(self) -> Mapping[str, float]:
        """What the check says of the model; the first process makes it, and the others are told."""
        from accelerate.utils import broadcast_object_list

        if self.objective.check is None:
            return {}
        self.model.eval()
        found = [dict(self.objective.check()) if self.is_main else {}]
        self.model.train()
        broadcast_object_list(found)
        return found[0]

    def write(self) -> None:
        """Write a checkpoint."""
        from accelerate.utils import gather_object

        if self.run is None:
            return
        random = gather_object([checkpoint.random_state(self.accelerator.device)])
        if self.is_main:
            checkpoint.write_checkpoint(self.run, self.objective.model, self.optimiser, self.state, random)
        self.accelerator.wait_for_everyone()

    def is_stopped(self) -> bool:
        """True if the goal has not improved for so many checks as the objective allows."""
        patience = self.objective.patience
        return patience is not None and self.objective.goal is not None and self.state.waited >= patience

    def finish(self) -> History:
        """Take the weights of the best check, if a goal chooses them, and tell what happened."""
        state, model = self.state, self.objective.model
        if self.objective.goal is not None and self.run is not None and state.best_step != state.step:
            checkpoint.read_model(checkpoint.place_of(self.run, state.best_step), model)
        self.accelerator.wait_for_everyone()  # the first process may now remove the checkpoints
        self.board.close()
        model.eval().cpu()
        return History(state.steps, state.checks, state.seconds, self.is_main)
