"""Phase 2: a small cross-encoder learns the teacher's scores."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from farthing.core.errors import InputError
from farthing.files.folders import CALL, check_new, claim_run, new_folder, write_json
from farthing.learn.cross.students import KIND, Start, make_student, needs, parameters
from farthing.learn.data.dataset import PairDataset, check_targets, held_out, tokenised
from farthing.learn.data.store import PairTable, read_pairs
from farthing.learn.train.plots import plot_history
from farthing.learn.train.settings import Settings
from farthing.learn.train.training import History, fit, is_first_process, last_checkpoint, quiet, wait_for
from farthing.students.layout import add_facts

HELD_OUT_MOST = 2000


@dataclass(frozen=True, slots=True)
class Distilled:
    """A finished student: where it is, and how well it agrees with its teacher on held-out pairs."""

    folder: Path
    history: History
    facts: Mapping[str, Any]


def distil(
    pairs: str | Path,
    target: str | Path,
    start: Start,
    settings: Settings | None = None,
    *,
    held: float = 0.05,
    overwrite: bool = False,
    callbacks: tuple[Any, ...] = (),
) -> Distilled:
    """Train a student on annotated pairs and write it as a Hugging Face folder.

    Checkpoints and TensorBoard logs lie beside it, in `<target>.run`; the same call goes on from them after a stop.

    :param pairs: what `farthing learn annotate` wrote
    :param held: the share of the pairs that is held out, whole documents at a time
    """
    table = read_pairs(pairs, scored=True)
    return distil_table(table, Path(target), start, settings or Settings(), held, overwrite, callbacks, name=str(pairs))


def distil_table(
    table: PairTable,
    target: Path,
    start: Start,
    settings: Settings,
    held: float = 0.05,
    overwrite: bool = False,
    callbacks: tuple[Any, ...] = (),
    name: str = "the pairs",
) -> Distilled:
    """:func:`distil` for pairs in memory."""
    check_new(target, overwrite)
    check_targets(table.scores, name)
    run = target.with_name(f"{target.name}.run")
    if is_first_process():
        claim_run(run, [asdict(start), asdict(settings), held, len(table), float(table.scores.sum())])
    quiet()
    model = prepared_student(start, [*table.candidates, *table.references], run, settings.seed)
    train_rows, check_rows = held_out(table.documents, held, HELD_OUT_MOST, settings.seed)
    check_targets(table.scores[train_rows], name)
    rows = tokenised(run / "start", table.candidates, table.references, settings.limit)
    centre, spread = _scale(table.scores[train_rows], settings.standardise)
    targets = (table.scores - centre) / spread
    train, check = (PairDataset([rows[row] for row in part], targets[part]) for part in (train_rows, check_rows))
    history = fit(model, model.config.pad_token_id or 0, train, check, run, settings, callbacks)
    rescale_head(model, centre, spread)
    facts = _facts(table, start, settings, model, history, len(train), len(check))
    if history.is_main:
        write_student(target, model, run, facts, history, overwrite)
    return Distilled(target, history, facts)


def prepared_student(start: Start, texts: Sequence[str], run: Path, seed: int) -> Any:
    """The student as it starts, kept in `<run>/start` with its tokenizer, so that a resumed run starts from the same.

    Of several processes the first makes it and the others wait.
    """
    needs()
    from transformers import AutoModelForSequenceClassification

    place = run / "start"
    if not is_first_process():
        wait_for(place / "config.json")
    elif not (place / "config.json").exists():
        model, tokenizer = make_student(start, texts, seed)
        with new_folder(place, overwrite=True) as folder:
            model.save_pretrained(folder)
            tokenizer.save_pretrained(folder)
    return AutoModelForSequenceClassification.from_pretrained(place)


def _scale(targets: np.ndarray, standardise: bool) -> tuple[float, float]:
    return (float(targets.mean()), float(targets.std())) if standardise else (0.0, 1.0)


def rescale_head(model: Any, centre: float, spread: float) -> None:
    """Put the scale of the targets into the last linear layer, so that the student speaks the teacher's scale."""
    import torch

    if (centre, spread) == (0.0, 1.0):
        return
    layers = [part for part in model.modules() if isinstance(part, torch.nn.Linear) and part.out_features == 1]
    if not layers or layers[-1].bias is None:
        raise InputError("the student's head has no bias, so the scale cannot be put back", remedy="do not standardise")
    with torch.no_grad():
        layers[-1].weight.mul_(spread)
        layers[-1].bias.mul_(spread).add_(centre)


def _facts(
    table: PairTable, start: Start, settings: Settings, model: Any, history: History, train: int, check: int
) -> dict[str, Any]:
    return {
        "kind": KIND,
        "teacher": table.notes.get("teacher", "unknown"),
        "teacher_signature": table.notes.get("signature", ""),
        "recipe": json.loads(table.notes.get("recipe", "null")),
        "start": asdict(start),
        "settings": asdict(settings),
        "pairs": train,
        "held_out": {"pairs": check, **history.last},
        "parameters": parameters(model),
        "training_seconds": round(history.seconds, 1),
    }


def write_student(
    target: Path, model: Any, run: Path, facts: Mapping[str, Any], history: History, overwrite: bool
) -> None:
    """The finished folder, then the checkpoints can go; logs and the picture stay."""
    with new_folder(target, overwrite) as folder:
        model.save_pretrained(folder)
        for path in (run / "start").iterdir():
            if path.name not in ("config.json", "model.safetensors"):
                shutil.copy2(path, folder / path.name)
        add_facts(folder, **facts)
        write_json(folder / "history.json", {"steps": history.steps, "checks": history.checks})
        plot_history(history, folder / "loss.png")
    for place in [*run.glob("checkpoint-*"), run / "start", run / CALL]:
        shutil.rmtree(place) if place.is_dir() else place.unlink(missing_ok=True)


def is_resumed(target: Path) -> bool:
    """True where a stopped run of this target would be continued."""
    return last_checkpoint(target.with_name(f"{target.name}.run")) is not None
