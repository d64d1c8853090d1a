"""What training costs (Table 2 of EffEval): tokens per second forwards and backwards, and memory per token.

`python -m farthing.bench.training REQUEST ANSWER` is the fresh process in which one encoder is measured. Any objective
of the training loop can be measured by :func:`step_speeds`.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import numpy as np

from farthing.bench.exchange import read_texts
from farthing.bench.memory import device_peak_bytes, forget_device_peak, forget_peak, peak_bytes, resident_bytes
from farthing.bench.process import worker_main
from farthing.core.threads import thread_count
from farthing.learn.adapters.methods import AdapterMethod
from farthing.learn.train.objective import Objective, Tensors

if TYPE_CHECKING:
    from transformers import PreTrainedModel

ALL: Final = "all parameters"
HEAD: Final = "head alone"
Learning: TypeAlias = Literal["all parameters", "head alone"] | AdapterMethod  #: what learns of a model
WARM_UP = 2  # steps before the first that counts
RATE = 1e-5


@dataclass(frozen=True, slots=True)
class TrainingRequest:
    """What to measure of one encoder.

    :param model: its name or folder
    :param texts: the file of the texts
    :param batch: pairs per step
    :param steps: how many steps count
    :param limit: the most tokens of a pair
    :param learns: all parameters, the head alone, or the head and an adapter of this method
    """

    model: str
    texts: str
    batch: int
    steps: int
    limit: int
    learns: Learning


@dataclass(frozen=True, slots=True)
class TrainingMeasured:
    """Medians over the steps of one process: tokens per second, and bytes per token at the peak of a step."""

    forward: float
    backward: float
    memory: float
    parameters: int
    trained: int


@dataclass(frozen=True, slots=True)
class StepSpeed:
    """One step: its tokens, the seconds of both passes, and the bytes at the peak."""

    tokens: int
    forward: float
    backward: float
    peak: int


def measure_training(request: TrainingRequest) -> TrainingMeasured:
    """Train a cross-encoder for some steps; its weights are thrown away."""
    import torch
    import transformers  # noqa: F401  # before the memory is looked at

    from farthing.encoders.folder.locate import locate
    from farthing.encoders.tokens.tokenize import Tokenizer
    from farthing.learn.cross.objective import pair_objective
    from farthing.learn.cross.settings import CrossSettings
    from farthing.learn.cross.start import make_student, start_of
    from farthing.learn.data.dataset import PairDataset, tokenised
    from farthing.learn.train.layers import count_parameters

    torch.set_num_threads(thread_count())
    before = resident_bytes() or 0
    _, candidates, references = read_texts(Path(request.texts)).single_references()
    folder = locate(request.model)
    rows = tokenised(folder, candidates, references, request.limit)
    model, _ = make_student(start_of(request.model), (), seed=1)
    _freeze(model, request.learns)
    targets = np.linspace(0, 1, len(rows))
    settings = CrossSettings(batch=request.batch, limit=request.limit)
    objective = pair_objective(model, Tokenizer(folder).pad, PairDataset(rows, targets), settings)
    speeds = list(step_speeds(objective, request.batch, request.steps + WARM_UP))[WARM_UP:]
    return TrainingMeasured(
        statistics.median(one.tokens / one.forward for one in speeds),
        statistics.median(one.tokens / one.backward for one in speeds),
        statistics.median(max(0, one.peak - (0 if _on_gpu() else before)) / one.tokens for one in speeds),
        count_parameters(model),
        sum(one.numel() for one in model.parameters() if one.requires_grad),
    )


def _freeze(model: PreTrainedModel, learns: Learning) -> None:
    """Let only what was asked for learn."""
    from farthing.learn.cross.adapted import adapt_student
    from farthing.learn.cross.finetune import freeze_encoder

    if learns == HEAD:
        freeze_encoder(model)
    elif learns != ALL:
        adapt_student(model, learns)


def step_speeds(objective: Objective[Tensors], batch: int, steps: int) -> Iterator[StepSpeed]:
    """Take some steps of training, in batches of the order of the rows, and measure each of them.

    The forward pass includes the loss. The peak is that of the whole step, the optimiser's included.
    """
    import torch
    from accelerate.utils import send_to_device

    device = "cuda" if _on_gpu() else "cpu"
    objective.model.to(device).train()
    optimiser = torch.optim.AdamW([one for group in objective.groups for one in group.parameters], lr=RATE)
    for rows in _batches(len(objective.lengths), batch, steps):
        tensors = send_to_device(objective.batch(rows), device)
        forget_peak()
        forget_device_peak()
        began = _now()
        loss = objective.loss(objective.model, tensors)
        between = _now()
        loss.backward()  # type: ignore[no-untyped-call]
        end = _now()
        optimiser.step()
        optimiser.zero_grad()
        tokens = int(sum(objective.lengths[row] for row in rows))
        yield StepSpeed(tokens, between - began, end - between, device_peak_bytes() or peak_bytes())


def _batches(count: int, batch: int, steps: int) -> Iterator[Sequence[int]]:
    """Take rows in order, and from the start again if they do not suffice."""
    for step in range(steps):
        yield [(step * batch + place) % count for place in range(min(batch, count))]


def _on_gpu() -> bool:
    import torch

    return bool(torch.cuda.is_available())


def _now() -> float:
    """Return the time once everything that was asked of the device is done."""
    import torch

    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return time.perf_counter()


if __name__ == "__main__":
    sys.exit(worker_main(measure_training, TrainingRequest, sys.argv[1:]))
