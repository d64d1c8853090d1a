"""The training loop: transformers' Trainer with pairs in buckets, mean squared error and plain Adam.

Several GPUs or machines: start the same command through accelerate's launcher. A run that is stopped goes on from its
last complete checkpoint and ends with the same weights as one that was not.
"""

from __future__ import annotations

import math
import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from farthing.core.errors import MissingExtra, OutputError
from farthing.core.threads import thread_count
from farthing.learn.data.dataset import Buckets, Collate, PairDataset
from farthing.learn.train.settings import Settings
from farthing.meta import coefficients


@dataclass(slots=True)
class History:
    """What happened: training loss by step, and the checks on held-out pairs."""

    steps: list[dict[str, float]] = field(default_factory=list)
    checks: list[dict[str, float]] = field(default_factory=list)
    seconds: float = 0.0
    is_main: bool = True

    @property
    def last(self) -> dict[str, float]:
        """The last check."""
        return self.checks[-1] if self.checks else {}


def fit(
    model: Any,
    pad: int,
    train: PairDataset,
    check: PairDataset | None,
    run: Path,
    settings: Settings,
    callbacks: tuple[Any, ...] = (),
) -> History:
    """Train a model in place.

    :param run: the folder of checkpoints and logs; complete checkpoints in it are where the run starts
    """
    trainer = _make_trainer(model, pad, train, check, run, settings, callbacks)
    try:
        trainer.train(resume_from_checkpoint=last_checkpoint(run))
    except OSError as error:
        raise OutputError(
            f"{run}: cannot be written: {error.strerror or error}; earlier checkpoints are kept"
        ) from error
    except RuntimeError as error:
        if "PytorchStreamWriter" not in str(error) and "No space" not in str(error):
            raise
        raise OutputError(
            f"{run}: a checkpoint cannot be written (is the disk full?); earlier ones are kept"
        ) from error
    return _history(trainer)


def _make_trainer(
    model: Any, pad: int, train: PairDataset, check: PairDataset | None, run: Path, settings: Settings, callbacks: Any
) -> Any:
    try:
        import accelerate  # noqa: F401  the Trainer needs it
        import torch
        from transformers import EarlyStoppingCallback, PrinterCallback, Trainer, TrainerCallback
    except ImportError as error:
        raise MissingExtra("training", "learn") from error
    torch.set_num_threads(thread_count(settings.threads))
    sampler = Buckets(train.lengths, settings.batch, settings.seed)

    class SetEpoch(TrainerCallback):  # type: ignore[misc]
        """Tells the sampler which epoch it is, in a resumed one too."""

        def on_epoch_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            sampler.epoch = math.floor((state.epoch or 0.0) + 1e-6)

    class PairTrainer(Trainer):  # type: ignore[misc]
        """The Trainer with our loss and our order of the pairs."""

        def compute_loss(
            self, model: Any, inputs: Any, return_outputs: bool = False, num_items_in_batch: Any = None
        ) -> Any:
            targets = inputs.pop("labels")
            output = model(**inputs)
            loss = torch.nn.functional.mse_loss(output.logits.squeeze(-1), targets)
            return (loss, output) if return_outputs else loss

        def _get_train_sampler(self, train_dataset: Any = None) -> Any:
            return sampler

    stop = [EarlyStoppingCallback(settings.patience)] if settings.patience and check is not None else []
    trainer = PairTrainer(
        model=model,
        args=_arguments(run, settings, len(train), check is not None),
        train_dataset=train,
        eval_dataset=check,
        data_collator=Collate(pad, getattr(model.config, "type_vocab_size", 0) > 1),
        compute_metrics=_agreement,
        callbacks=[SetEpoch(), *_tensorboard(run), *stop, *callbacks],
        optimizers=(torch.optim.Adam(model.parameters(), lr=settings.rate), None),
    )
    trainer.remove_callback(PrinterCallback)  # standard output is for data
    return trainer


def _arguments(run: Path, settings: Settings, pairs: int, has_check: bool) -> Any:
    from transformers import TrainingArguments

    processes = int(os.environ.get("WORLD_SIZE", "1"))  # a launcher's; each takes its own batches
    total = max(1, math.ceil(settings.epochs * math.ceil(pairs / (settings.batch * processes))))
    every = max(1, math.ceil(total / settings.checks))
    return TrainingArguments(
        output_dir=str(run),
        per_device_train_batch_size=settings.batch,
        per_device_eval_batch_size=64,
        num_train_epochs=settings.epochs,
        learning_rate=settings.rate,
        lr_scheduler_type=settings.decay,
        warmup_steps=math.ceil(settings.warmup * total),
        weight_decay=0.0,
        max_grad_norm=settings.clip,
        seed=settings.seed,
        eval_strategy="steps" if has_check else "no",
        eval_steps=every,
        save_strategy="steps",
        save_steps=every,
        save_total_limit=2,
        load_best_model_at_end=bool(settings.patience) and has_check,
        metric_for_best_model="eval_pearson" if settings.patience and has_check else None,
        greater_is_better=True if settings.patience and has_check else None,
        logging_steps=max(1, total // 200),
        remove_unused_columns=False,
        label_names=["labels"],
        report_to=[],
        disable_tqdm=True,
        dataloader_pin_memory=False,
        ddp_find_unused_parameters=False,
        log_level="error",
    )


def _agreement(prediction: Any) -> dict[str, float]:
    """How well the scores of held-out pairs agree with the targets."""
    found = np.asarray(prediction.predictions, dtype=np.float64).reshape(-1)
    wanted = np.asarray(prediction.label_ids, dtype=np.float64).reshape(-1)
    if len(found) < 3 or np.ptp(found) < 1e-12 or np.ptp(wanted) < 1e-12:
        return {"pearson": 0.0, "spearman": 0.0}  # nothing varies, so nothing agrees
    return {
        "pearson": float(coefficients.pearson(wanted[None], found[None])[0]),
        "spearman": float(coefficients.spearman(wanted[None], found[None])[0]),
    }


def _tensorboard(run: Path) -> list[Any]:
    """Logs for TensorBoard, where it is installed."""
    try:
        from torch.utils.tensorboard import SummaryWriter
        from transformers.integrations import TensorBoardCallback
    except ImportError:
        return []
    return [TensorBoardCallback(SummaryWriter(str(run / "logs")))]


def last_checkpoint(run: Path) -> str | None:
    """The newest checkpoint that was written to its end."""
    found = [place for place in run.glob("checkpoint-*") if place.name.rpartition("-")[2].isdecimal()]
    whole = [place for place in found if all((place / name).is_file() for name in _CHECKPOINT)]
    return str(max(whole, key=lambda place: int(place.name.rpartition("-")[2]))) if whole else None


_CHECKPOINT = ("model.safetensors", "optimizer.pt", "scheduler.pt", "trainer_state.json")


def _history(trainer: Any) -> History:
    log = trainer.state.log_history
    steps = [{"step": one["step"], "loss": one["loss"]} for one in log if "loss" in one]
    names = {"eval_loss": "loss", "eval_pearson": "pearson", "eval_spearman": "spearman"}
    checks = [
        {"step": one["step"], "epoch": one["epoch"], **{to: one[name] for name, to in names.items()}}
        for one in log
        if "eval_pearson" in one
    ]
    seconds = next((one["train_runtime"] for one in reversed(log) if "train_runtime" in one), 0.0)
    return History(steps, checks, float(seconds), bool(trainer.is_world_process_zero()) and is_first_process())


def is_first_process() -> bool:
    """True in the one process of a run, or in the first of those that a launcher started."""
    return os.environ.get("RANK", "0") == "0"


def wait_for(path: Path, seconds: float = 600) -> None:
    """Wait until the first process has made a file."""
    end = time.monotonic() + seconds
    while not path.exists():
        if time.monotonic() > end:
            raise OutputError(f"{path}: the first process did not make it; see what it says")
        time.sleep(0.2)


def quiet() -> None:
    """Stop transformers and its friends from talking into a command's output."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    import transformers

    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
