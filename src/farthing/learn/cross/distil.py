"""Phase 2: a small cross-encoder learns the teacher's scores."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from farthing.core.arrays import Segments
from farthing.core.columns import Columns
from farthing.core.digest import digest_json
from farthing.core.errors import InputError
from farthing.core.progress import Log, silent_log
from farthing.core.threads import thread_count
from farthing.encoders.backends.pretrained import load_pretrained
from farthing.files.folders import CALL, check_new, claim_run, new_folder, write_json
from farthing.learn.cross.objective import pair_objective
from farthing.learn.cross.scores import agreement, torch_scores
from farthing.learn.cross.settings import CrossSettings
from farthing.learn.cross.start import KIND, Start, make_student
from farthing.learn.data.dataset import PairDataset, check_targets, held_out, tokenised
from farthing.learn.data.store import PairTable
from farthing.learn.data.tables import read_any_pairs
from farthing.learn.train.checkpoint import last_checkpoint, remove_checkpoints
from farthing.learn.train.history import History
from farthing.learn.train.layers import count_parameters
from farthing.learn.train.loop import train
from farthing.learn.train.plots import plot_history
from farthing.learn.train.processes import check_training_extra, is_first_process, quiet_transformers, wait_for
from farthing.students.layout import add_facts

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel

HELD_OUT_MOST = 2000
START = "start"  # the folder of a run that holds the student as it starts, with its tokenizer


@dataclass(frozen=True, slots=True)
class Distilled:
    """A finished student: where it is, and how well it agrees with its teacher on held-out pairs."""

    folder: Path
    history: History
    facts: Mapping[str, object]


def distil(
    pairs: str | Path,
    target: str | Path,
    start: Start,
    settings: CrossSettings | None = None,
    *,
    held: float = 0.05,
    overwrite: bool = False,
    score: str | None = None,
    columns: Columns | None = None,
    facts: Mapping[str, object] | None = None,
    log: Log = silent_log,
) -> Distilled:
    """Train a student on annotated pairs and write it as a Hugging Face folder.

    Checkpoints and TensorBoard logs lie beside it, in `<target>.run`; the same call resumes an interrupted run.

    :param pairs: what `farthing learn annotate` wrote, or any table with scores
    :param score: the column of the scores, by default the first of the usual names
    :param columns: the names of the columns of texts, if they are not the usual ones
    :param held: the share of the pairs that is held out, whole documents at a time
    :param facts: further facts for the student's folder, such as who gave the scores
    :param log: is told about every check
    """
    check_new(Path(target), overwrite)
    table = read_any_pairs(pairs, scored=True, score=score, columns=columns, log=log)
    used = settings or CrossSettings()
    return distil_table(table, Path(target), start, used, held, overwrite, log, str(pairs), facts or {})


def distil_table(
    table: PairTable,
    target: Path,
    start: Start,
    settings: CrossSettings,
    held: float = 0.05,
    overwrite: bool = False,
    log: Log = silent_log,
    name: str = "the pairs",
    told: Mapping[str, object] = MappingProxyType({}),
) -> Distilled:
    """Do what :func:`distil` does for pairs in memory."""
    check_new(target, overwrite)
    check_targets(table.scores, name)
    run = run_of(target)
    if is_first_process():
        content = digest_json([table.candidates, table.references, table.scores.tolist()])
        claim_run(run, [asdict(start), asdict(settings), held, content])
    model = prepared_student(start, [*table.candidates, *table.references], run, settings)
    train_rows, check_rows = held_out(table.documents, held, HELD_OUT_MOST, settings.seed)
    check_targets(table.scores[train_rows], name)
    rows = tokenised(run / START, table.candidates, table.references, settings.limit)
    centre, spread = _scale(table.scores[train_rows], settings.standardise)
    targets = (table.scores - centre) / spread
    learned, checked = (PairDataset([rows[row] for row in part], targets[part]) for part in (train_rows, check_rows))
    history = _trained(model, learned, checked, run, settings, log)
    rescale_head(model, centre, spread)
    facts = {**_facts(table, start, settings, model, history, len(learned), len(checked)), **told}
    if history.is_main:
        write_student(target, model, run, facts, history, overwrite)
    return Distilled(target, history, facts)


def run_of(target: Path) -> Path:
    """Name the folder of a student's checkpoints and logs."""
    return target.with_name(f"{target.name}.run")


def _trained(
    model: PreTrainedModel, learned: PairDataset, checked: PairDataset, run: Path, settings: CrossSettings, log: Log
) -> History:
    pad = model.config.pad_token_id or 0
    targets = checked.targets.astype(np.float64)

    def check() -> dict[str, float]:
        return agreement(torch_scores(model, checked.rows, pad), targets)

    goal = "pearson" if settings.patience else None
    objective = pair_objective(model, pad, learned, settings, check=check, goal=goal)
    return train(objective, settings, run, log=log, logs=run / "logs")


def prepared_student(start: Start, texts: Sequence[str], run: Path, settings: CrossSettings) -> PreTrainedModel:
    """Make the student as it starts; a copy in `<run>/start` lets a resumed run start from the same.

    Of several processes the first makes it and the others wait.
    """
    check_training_extra()
    import torch

    quiet_transformers()
    torch.set_num_threads(thread_count(settings.threads))
    place = run / START
    if not is_first_process():
        wait_for(place / "config.json")
    elif not (place / "config.json").exists():
        model, tokenizer = make_student(start, texts, settings.seed)
        with new_folder(place, overwrite=True) as folder:
            model.save_pretrained(folder)
            tokenizer.save_pretrained(folder)
    return load_pretrained(place, "classifier")


def _scale(targets: Segments, standardise: bool) -> tuple[float, float]:
    return (float(targets.mean()), float(targets.std())) if standardise else (0.0, 1.0)


def rescale_head(model: torch.nn.Module, centre: float, spread: float) -> None:
    """Put the scale of the targets into the last linear layer, so that the student has the teacher's scale."""
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
    table: PairTable,
    start: Start,
    settings: CrossSettings,
    model: PreTrainedModel,
    history: History,
    learned: int,
    checked: int,
) -> dict[str, object]:
    return {
        "kind": KIND,
        "teacher": table.notes.get("teacher", "unknown"),
        "teacher_signature": table.notes.get("signature", ""),
        "recipe": json.loads(table.notes.get("recipe", "null")),
        "start": asdict(start),
        "settings": asdict(settings),
        "pairs": learned,
        "held_out": {"pairs": checked, **history.last},
        "parameters": count_parameters(model),
        "training_seconds": round(history.seconds, 1),
    }


def write_student(
    target: Path, model: PreTrainedModel, run: Path, facts: Mapping[str, object], history: History, overwrite: bool
) -> None:
    """Write the finished folder, then remove the checkpoints; logs and the picture stay."""
    with new_folder(target, overwrite) as folder:
        model.save_pretrained(folder)
        copy_tokenizer(run, folder)
        add_facts(folder, **facts)
        write_json(folder / "history.json", history.facts())
        plot_history(history, folder / "loss.png")
    remove_checkpoints(run)
    shutil.rmtree(run / START)
    (run / CALL).unlink(missing_ok=True)


def copy_tokenizer(run: Path, folder: Path) -> None:
    """Copy everything but the weights of the student as it started."""
    for path in (run / START).iterdir():
        if path.name not in ("config.json", "model.safetensors"):
            shutil.copy2(path, folder / path.name)


def is_resumed(target: Path) -> bool:
    """Return True if a call with this target would resume an interrupted run."""
    return last_checkpoint(run_of(target)) is not None
