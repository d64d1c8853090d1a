"""Metrics and a callback for the Trainer of Hugging Face's transformers.

    from farthing.integrations.transformers import compute_metrics

    arguments = Seq2SeqTrainingArguments("out", predict_with_generate=True, eval_strategy="epoch")
    trainer = Seq2SeqTrainer(model, arguments, …, compute_metrics=compute_metrics(tokenizer, "chrf,frugalscore"))

A Trainer that does not generate gets :func:`trainer_callback`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from farthing.core.errors import UsageError
from farthing.core.registry import DEFAULT
from farthing.front import ManyMetrics, OneMetric
from farthing.integrations.torchmetrics import TextMetrics

if TYPE_CHECKING:
    from transformers import TrainerCallback

    from farthing.integrations.tracking import ScoreLogger


class Decoder(Protocol):
    """What is asked of a tokenizer or a processor."""

    def batch_decode(self, sequences: list[list[int]], *, skip_special_tokens: bool) -> list[str]:
        """Turn token ids back into texts."""
        ...


class Predicted(Protocol):
    """What is asked of transformers' EvalPrediction; every field may be an array, a tensor or a tuple of them."""

    predictions: object
    label_ids: object
    inputs: object


class ComputeMetrics:
    """A Trainer's `compute_metrics`: decodes predictions and labels, then scores them."""

    def __init__(self, tokenizer: Decoder, metrics: OneMetric | ManyMetrics) -> None:
        self.tokenizer = tokenizer
        self.running = TextMetrics(metrics, sync_on_compute=False)  # the Trainer has gathered all processes' texts

    def __call__(self, prediction: Predicted, compute_result: bool = True) -> dict[str, float]:
        """Score the predictions against the labels.

        :param compute_result: False for all batches but the last, if the Trainer has `batch_eval_metrics`
        """
        inputs = getattr(prediction, "inputs", None)
        self.running.update(
            self.texts(prediction.predictions),
            self.texts(prediction.label_ids),
            None if inputs is None else self.texts(inputs),
        )
        if not compute_result:
            return {}
        found = self.running.compute()
        self.running.reset()
        return found

    def texts(self, ids: object) -> list[str]:
        """Decode token ids; -100, which fills up rows and masks labels, stands for nothing."""
        rows = [[int(token) for token in row if token >= 0] for row in token_rows(ids)]
        return [text.strip() for text in self.tokenizer.batch_decode(rows, skip_special_tokens=True)]


def compute_metrics(tokenizer: Decoder, metrics: OneMetric | ManyMetrics = DEFAULT) -> ComputeMetrics:
    """Return a function for the argument `compute_metrics` of a Seq2SeqTrainer.

    It needs `predict_with_generate=True`. With `include_for_metrics=["inputs"]` the inputs are the sources.

    :param metrics: a spec (or several with commas between them), a loaded metric, or a list of these
    """
    return ComputeMetrics(tokenizer, metrics)


def trainer_callback(logger: ScoreLogger, generate: Callable[[object], Sequence[str]]) -> TrainerCallback:
    """Return a callback that scores generated texts at each evaluation, for a Trainer that does not generate.

    :param logger: has the references, scores the texts and logs the scores
    :param generate: takes the model and returns one text per reference; it is called in every process
    """
    from transformers import TrainerCallback

    class Scoring(TrainerCallback):  # type: ignore[misc]  # transformers is not typed
        def on_evaluate(self, args: object, state: object, control: object, **told: object) -> None:
            candidates = generate(told["model"])
            if getattr(state, "is_world_process_zero", True):
                logger(candidates, getattr(state, "global_step", 0))

    return Scoring()


def token_rows(ids: object) -> np.ndarray:
    """Return a matrix of token ids, given what a Trainer passes on."""
    first = ids[0] if isinstance(ids, tuple) else ids  # what follows are further outputs of the model
    rows = np.asarray(first.cpu() if hasattr(first, "cpu") else first)
    if rows.ndim == 2 and rows.dtype.kind in "iu":
        return rows
    raise UsageError(
        "the predictions are not token ids but numbers of the model's last layer: "
        "use a Seq2SeqTrainer with predict_with_generate=True, or trainer_callback"
    )
