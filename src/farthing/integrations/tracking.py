"""Scores of a training loop in TensorBoard, MLflow and Weights & Biases, whichever are in use.

    from farthing.integrations.tracking import ScoreLogger

    log = ScoreLogger(references, "chrf,frugalscore", tensorboard="runs/1")
    for step in range(steps):
        …
        log(generate(model), step)

The callback for Hugging Face's Trainer is in :mod:`farthing.integrations.transformers`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from farthing.core.errors import UsageError
from farthing.core.frames import texts_of_column
from farthing.core.registry import DEFAULT
from farthing.core.texts import Texts, TextTable, reference_rows
from farthing.core.types import Pairs
from farthing.front import ManyMetrics, OneMetric
from farthing.integrations.loaded import LoadedMetrics


class ScalarWriter(Protocol):
    """A writer of TensorBoard's logs: torch's SummaryWriter, or TensorBoard's own."""

    def add_scalar(self, tag: str, data: float, step: int, /) -> None:
        """Log one number."""
        ...

    def flush(self) -> None:
        """Write everything to disk."""
        ...


class ScoreLogger:
    """Scores a model's outputs again and again against the same references, and logs the scores.

    An active run of MLflow or W&B is found by itself.

    :param references: for each output one reference or a list of them
    :param metrics: a spec (or several with commas between them), a loaded metric, or a list of these
    :param sources: for each output the text it is made from, for metrics that look at it
    :param tensorboard: a folder for TensorBoard's logs, or a writer that is already there
    :param prefix: what the names of the logged scores begin with
    """

    def __init__(
        self,
        references: Texts | TextTable | None = None,
        metrics: OneMetric | ManyMetrics = DEFAULT,
        *,
        sources: Texts | None = None,
        tensorboard: str | Path | ScalarWriter | None = None,
        prefix: str = "farthing",
    ) -> None:
        self.references = None if references is None else reference_rows(references)
        self.sources = None if sources is None else texts_of_column(sources, "sources")
        self.prefix = prefix
        self.metrics = LoadedMetrics(metrics)
        self.writer = _writer(tensorboard) if isinstance(tensorboard, str | Path) else tensorboard

    def __call__(self, candidates: Texts, step: int) -> dict[str, float]:
        """Score one output per reference, log the scores, and return them by the names of the metrics."""
        numbers = self.metrics.numbers(Pairs.of(candidates, self.references, self.sources))
        log_numbers(numbers, step, writer=self.writer, prefix=self.prefix)
        return numbers


def log_numbers(
    numbers: Mapping[str, float], step: int, *, writer: ScalarWriter | None = None, prefix: str = "farthing"
) -> list[str]:
    """Log numbers to TensorBoard, if there is a writer, and to the active runs of MLflow and W&B.

    :returns: the names of the trackers that took them

    >>> log_numbers({"chrf": 66.02}, step=1)
    []
    """
    # MLflow refuses brackets, commas and equals signs, which specs have.
    named = {f"{prefix}/{re.sub(r'[^-./:0-9A-Za-z]+', '_', name).strip('_')}": n for name, n in numbers.items()}
    took = {
        "tensorboard": _to_tensorboard(writer, named, step),
        "mlflow": _to_mlflow(named, step),
        "wandb": _to_wandb(named, step, prefix),
    }
    return [name for name, done in took.items() if done]


def _writer(folder: str | Path) -> ScalarWriter:
    try:
        from tensorboard.summary import Writer
    except ImportError as error:
        raise UsageError("logs for TensorBoard need its package: pip install tensorboard") from error
    writer: ScalarWriter = Writer(str(folder))
    return writer


def _to_tensorboard(writer: ScalarWriter | None, numbers: Mapping[str, float], step: int) -> bool:
    if writer is None:
        return False
    for name, number in numbers.items():
        writer.add_scalar(name, number, step)
    writer.flush()
    return True


def _to_mlflow(numbers: Mapping[str, float], step: int) -> bool:
    mlflow = sys.modules.get("mlflow")  # whoever has started a run has imported it
    if mlflow is None or mlflow.active_run() is None:
        return False
    mlflow.log_metrics(dict(numbers), step=step)
    return True


def _to_wandb(numbers: Mapping[str, float], step: int, prefix: str) -> bool:
    wandb = sys.modules.get("wandb")
    run = None if wandb is None else wandb.run
    if run is None:
        return False
    # W&B drops numbers of a step before its own counter, which others advance: the step is a number, too.
    run.define_metric(f"{prefix}/*", step_metric=f"{prefix}/step")
    run.log({**numbers, f"{prefix}/step": step})
    return True
