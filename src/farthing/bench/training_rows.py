"""Training as rows of the bench: every encoder with all its parameters, and with the head alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from farthing.bench.exchange import write_texts
from farthing.bench.passes import some_pairs, spread_rows
from farthing.bench.process import run_worker
from farthing.bench.spread import Spread
from farthing.bench.training import TrainingMeasured, TrainingRequest
from farthing.core.errors import MissingInput
from farthing.core.types import Pairs
from farthing.encoders.folder.locate import locate
from farthing.encoders.load import name_of

WORKER = "farthing.bench.training"
STEPS, LIMIT = 10, 256


@dataclass(frozen=True, slots=True)
class TrainingContender:
    """An encoder to train on some pairs."""

    label: str
    model: str
    pairs: Pairs
    batch: int
    head_alone: bool


@dataclass(frozen=True, slots=True)
class TrainingRow:
    """What training an encoder costs.

    :param forward: tokens per second, the loss included
    :param backward: tokens per second
    :param memory: bytes per token at the peak of a step
    """

    label: str
    model: str
    batch: int
    parameters: int
    trained: int
    forward: Spread
    backward: Spread
    memory: Spread


def training_contenders(models: Sequence[str], pairs: Pairs, batch: int) -> list[TrainingContender]:
    """Return each encoder twice: all parameters are trained, or the head alone."""
    if models and not all(pairs.references):
        raise MissingInput("training is measured on pairs: give a reference for every candidate")
    for model in models:
        locate(model)
    part = some_pairs(pairs, spread_rows(len(pairs), (STEPS + 2) * batch))
    return [
        TrainingContender(f"{name_of(model)}, {'head alone' if alone else 'all parameters'}", model, part, batch, alone)
        for model in models
        for alone in (False, True)
    ]


def measured_once(one: TrainingContender, scratch: Path) -> TrainingMeasured:
    """Measure an encoder in a fresh process."""
    texts = scratch / "training.json"
    write_texts(texts, one.pairs)
    request = TrainingRequest(one.model, str(texts), one.batch, STEPS, LIMIT, one.head_alone)
    return run_worker(WORKER, one.label, request, TrainingMeasured)


def training_row(one: TrainingContender, runs: Sequence[TrainingMeasured]) -> TrainingRow:
    """Sum up the repeats."""
    return TrainingRow(
        one.label,
        one.model,
        one.batch,
        runs[0].parameters,
        runs[0].trained,
        Spread.of(run.forward for run in runs),
        Spread.of(run.backward for run in runs),
        Spread.of(run.memory for run in runs),
    )
