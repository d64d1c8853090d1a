"""Training as rows of the bench: every encoder with all its parameters, with the head alone, and with adapters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from farthing.bench.exchange import write_texts
from farthing.bench.passes import some_pairs, spread_rows
from farthing.bench.process import run_worker
from farthing.bench.spread import Spread
from farthing.bench.training import ALL, HEAD, Learning, TrainingMeasured, TrainingRequest
from farthing.core.errors import MissingInput, UnknownName, UsageError
from farthing.core.types import Pairs
from farthing.encoders.folder.locate import locate
from farthing.encoders.load import name_of
from farthing.learn.adapters.methods import METHODS, AdapterMethod

WORKER = "farthing.bench.training"
STEPS, LIMIT = 10, 256
EVERY = "all"  #: stands for every method of adapters


@dataclass(frozen=True, slots=True)
class TrainingContender:
    """An encoder to train on some pairs."""

    label: str
    model: str
    pairs: Pairs
    batch: int
    learns: Learning


@dataclass(frozen=True, slots=True)
class TrainingRow:
    """What training an encoder costs.

    :param learns: all parameters, the head alone, or the method of an adapter
    :param forward: tokens per second, the loss included
    :param backward: tokens per second
    :param memory: bytes per token at the peak of a step
    """

    label: str
    model: str
    learns: str
    batch: int
    parameters: int
    trained: int
    forward: Spread
    backward: Spread
    memory: Spread


def adapter_methods(names: Sequence[str]) -> tuple[AdapterMethod, ...]:
    """Return the methods of adapters that were asked for.

    >>> adapter_methods(["lora"])
    ('lora',)
    """
    if unknown := next((name for name in names if name not in (*METHODS, EVERY)), None):
        raise UnknownName("adapter", unknown, (*METHODS, EVERY))
    return tuple(method for method in METHODS if method in names or EVERY in names)


def training_contenders(
    models: Sequence[str], pairs: Pairs, batch: int, adapters: Sequence[AdapterMethod] = ()
) -> list[TrainingContender]:
    """Return each encoder several times: all parameters learn, the head alone, or the head and an adapter."""
    if adapters and not models:
        raise UsageError("--adapters has nothing to do: name encoders with --train")
    if models and not all(pairs.references):
        raise MissingInput("training is measured on pairs: give a reference for every candidate")
    for model in models:
        locate(model)
    kinds: tuple[Learning, ...] = (ALL, HEAD, *adapters)
    part = some_pairs(pairs, spread_rows(len(pairs), (STEPS + 2) * batch))
    return [
        TrainingContender(f"{name_of(model)}, {learns}", model, part, batch, learns)
        for model in models
        for learns in kinds
    ]


def measured_once(one: TrainingContender, scratch: Path) -> TrainingMeasured:
    """Measure an encoder in a fresh process."""
    texts = scratch / "training.json"
    write_texts(texts, one.pairs)
    request = TrainingRequest(one.model, str(texts), one.batch, STEPS, LIMIT, one.learns)
    return run_worker(WORKER, one.label, request, TrainingMeasured)


def training_row(one: TrainingContender, runs: Sequence[TrainingMeasured]) -> TrainingRow:
    """Sum up the repeats."""
    return TrainingRow(
        one.label,
        one.model,
        one.learns,
        one.batch,
        runs[0].parameters,
        runs[0].trained,
        Spread.of(run.forward for run in runs),
        Spread.of(run.backward for run in runs),
        Spread.of(run.memory for run in runs),
    )
