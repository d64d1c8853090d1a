"""Train an estimator on scores of people or of another metric, and write it as a student's folder."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from farthing.core.digest import digest_files, digest_json
from farthing.core.errors import ModelError, UsageError
from farthing.core.progress import Log, silent_log
from farthing.core.threads import thread_count
from farthing.encoders.backends.pretrained import load_config, load_pretrained
from farthing.encoders.folder.layout import GRAPH
from farthing.encoders.folder.locate import locate
from farthing.encoders.load import name_of
from farthing.files.folders import check_new, claim_run
from farthing.learn.adapters.adapter import Adapter
from farthing.learn.adapters.methods import AdapterMethod
from farthing.learn.adapters.store import encoder_facts
from farthing.learn.cross.distil import rescale_head, run_of
from farthing.learn.data.dataset import held_out
from farthing.learn.data.humans import Judged
from farthing.learn.regress.augment import augmented
from farthing.learn.regress.folder import KIND, TrainedEstimator, write_estimator
from farthing.learn.regress.model import EstimatorModel, RowBatch
from farthing.learn.regress.objective import KENDALL, estimates, estimator_objective, grouped_kendall
from farthing.learn.regress.rows import ScoredRows, TokenRows
from farthing.learn.regress.settings import RegressSettings
from farthing.learn.train.history import History
from farthing.learn.train.layers import count_parameters
from farthing.learn.train.loop import train
from farthing.learn.train.objective import Objective
from farthing.learn.train.processes import check_training_extra, is_first_process, quiet_transformers
from farthing.students.estimator import read_arrays
from farthing.students.facts import is_student
from farthing.students.layout import StudentFolder
from farthing.students.regressor import EstimatorShape

HELD, HELD_MOST = 0.1, 2000  # of each set, if no other data choose the best check


@dataclass(frozen=True, slots=True)
class Regressed:
    """A finished estimator: where it is, what is known of it, and how its training went."""

    folder: Path
    facts: Mapping[str, object]
    history: History


@dataclass(frozen=True, slots=True)
class RegressPlan:
    """What an estimator learns from, besides the data.

    :param raw: learn the scores as they are; otherwise they have mean 0 and deviation 1 in each group
    :param augment: add synthetic rows, see :mod:`farthing.learn.regress.augment`
    :param adapter: train only an adapter of this method, mix and head
    :param facts: further facts for the card, such as the teacher's licence
    """

    raw: bool = False
    augment: bool = False
    adapter: AdapterMethod | None = None
    facts: Mapping[str, object] | None = None


def regress(
    encoder: str,
    sets: Sequence[Judged],
    target: Path,
    shape: EstimatorShape | None = None,
    settings: RegressSettings | None = None,
    plan: RegressPlan | None = None,
    *,
    validation: Sequence[Judged] = (),
    overwrite: bool = False,
    log: Log = silent_log,
) -> Regressed:
    """Train an estimator; checkpoints lie in `<target>.run`, and the same call resumes an interrupted run.

    :param encoder: the name or folder of an encoder, or of an estimator whose training goes on
    :param shape: how vectors and score are made; an estimator that goes on keeps its own
    :param validation: the rows on which Kendall's correlation chooses the best check; by default some are held out
    """
    check_new(target, overwrite)
    check_training_extra()
    settings, plan, start = settings or RegressSettings(), plan or RegressPlan(), locate(encoder)
    shape = _shape(start, shape)
    kept, watched = (list(sets), list(validation)) if validation else split_sets(sets, settings.seed)
    check_inputs([*kept, *watched], shape)
    run = run_of(target)
    if is_first_process():
        claim_run(run, _call(start, shape, settings, plan, [*kept, *watched]))
    model, adapter, origin = prepared_estimator(start, shape, settings, plan.adapter)
    rows, scale = _learnable([_rows(one, shape, plan.raw) for one in kept], plan.raw)
    if is_estimator(start):
        rescale_head(model, -scale.centre / scale.spread, 1 / scale.spread)
    learned = augmented(rows, shape.inputs, seed=settings.seed) if plan.augment else rows
    tokens, check = TokenRows(start, learned, settings.limit), _check(model, start, watched, settings)
    objective = estimator_objective(model, tokens, settings, adapter, check=check)
    history = train(objective, settings, run, log=log)
    rescale_head(model, *scale)
    facts = {
        **(plan.facts or {}),
        "encoder_name": name_of(encoder),
        "data": ", ".join(one.name for one in kept),
        "rows": len(rows),
        "synthetic_rows": len(learned) - len(rows),
        "settings": asdict(settings),
        **_outcome(objective, history),
    }
    if history.is_main:
        write_estimator(target, TrainedEstimator(model, start, adapter, origin), facts, history, overwrite)
        shutil.rmtree(run, ignore_errors=True)
    return Regressed(target, facts, history)


def _call(
    start: Path, shape: EstimatorShape, settings: RegressSettings, plan: RegressPlan, sets: Sequence[Judged]
) -> list[object]:
    """Return all that must be equal for a run to be resumed."""
    content = [[one.name, digest_json([one.pairs.texts(), one.sources, one.scores.tolist()])] for one in sets]
    weights = digest_files(sorted(start.glob("*.safetensors")))
    return [weights, shape.facts(), asdict(settings), content, [plan.raw, plan.augment, plan.adapter]]


def _outcome(objective: Objective[RowBatch], history: History) -> dict[str, object]:
    """Return the sizes of the model, the figures of the check that gave the final weights, and the time."""
    best = max(history.checks, key=lambda check: check[KENDALL])
    return {
        "parameters": count_parameters(objective.model),
        "trained_parameters": sum(part.numel() for group in objective.groups for part in group.parameters),
        "held_out": {name: round(value, 4) for name, value in best.items() if name not in ("step", "epoch")},
        "training_seconds": round(history.seconds, 1),
    }


def is_estimator(folder: Path) -> bool:
    """Tell whether a folder holds an estimator; any other is taken as an encoder."""
    return is_student(folder) and StudentFolder.read(folder).kind == KIND


def _shape(start: Path, asked: EstimatorShape | None) -> EstimatorShape:
    if not is_estimator(start):
        return asked or EstimatorShape()
    shape = EstimatorShape.told(StudentFolder.read(start).facts, start)
    if asked is not None and asked.inputs != shape.inputs:
        raise UsageError(
            f"{start.name} compares with {' and '.join(shape.inputs)}, not with {' and '.join(asked.inputs)}: pass "
            f"--inputs {'+'.join(shape.inputs)}"
        )
    if (start / GRAPH).is_file():
        raise ModelError(f"{start} holds a graph, which cannot learn: give the folder that it was made of")
    return shape


def prepared_estimator(
    start: Path, shape: EstimatorShape, settings: RegressSettings, method: AdapterMethod | None = None
) -> tuple[EstimatorModel, Adapter | None, Mapping[str, object]]:
    """Make the estimator as it starts, its adapter, and the facts of the encoder that the adapter is for."""
    quiet_transformers()
    torch.set_num_threads(thread_count(settings.threads))
    torch.manual_seed(settings.seed)
    # with thousands of rows dropout inside the encoder costs more than it gives
    config = load_config(start, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
    encoder = load_pretrained(start, config=config, full_precision=True)
    if hasattr(encoder, "pooler"):
        encoder.pooler = None
    model = EstimatorModel(encoder, shape, settings.dropout)
    if is_estimator(start):
        model.take(read_arrays(start))
    if method is None:
        return model, None, {}
    origin = encoder_facts(encoder)
    return model, Adapter(encoder, method), origin


def split_sets(sets: Sequence[Judged], seed: int) -> tuple[list[Judged], list[Judged]]:
    """Hold out a tenth of every set; outputs for the same text are on one side."""
    parts = []
    for one in sets:
        texts = one.sources or ["\n".join(texts) for texts in one.references]
        parts.append((one, *held_out(texts, HELD, HELD_MOST, seed)))
    return [one.taking(rows) for one, rows, _ in parts], [one.taking(rows) for one, _, rows in parts]


def check_inputs(sets: Sequence[Judged], shape: EstimatorShape) -> None:
    """Raise a sentence if a set lacks texts that the estimator compares with."""
    for one in sets:
        there = {"reference": all(one.references), "source": bool(one.sources)}
        for need in shape.inputs:
            if not there[need]:
                raise UsageError(f"{one.name} has no {need}s: give them, or leave {need} out of --inputs")


class _Scale(NamedTuple):
    """What targets were brought to mean 0 and deviation 1 by; the head gives them back on their scale."""

    centre: float
    spread: float


def _learnable(parts: Sequence[ScoredRows], raw: bool) -> tuple[ScoredRows, _Scale]:
    """Join rows; raw targets are standardised as a whole, since no head learns numbers around 80 quickly."""
    rows = ScoredRows.joined(parts)
    scale = _Scale(float(rows.targets.mean()), float(rows.targets.std())) if raw else _Scale(0.0, 1.0)
    return ScoredRows(rows.texts, (rows.targets - scale.centre) / scale.spread), scale


def _rows(data: Judged, shape: EstimatorShape, raw: bool) -> ScoredRows:
    return ScoredRows.judged(data, shape.inputs, data.scores if raw else data.standardised())


def _check(
    model: EstimatorModel, folder: Path, watched: Sequence[Judged], settings: RegressSettings
) -> Callable[[], dict[str, float]]:
    """Make the check: Kendall's correlation with every watched set, and their mean."""
    held = [_first_references(one, model.shape) for one in watched]
    tokens = [TokenRows(folder, rows, settings.limit) for rows in held]

    def check() -> dict[str, float]:
        found = {
            one.name: grouped_kendall(one.scores, estimates(model, rows), one.groups)
            for one, rows in zip(watched, tokens, strict=True)
        }
        return {**found, KENDALL: float(np.mean(list(found.values())))}

    return check


def _first_references(data: Judged, shape: EstimatorShape) -> ScoredRows:
    return ScoredRows.judged(
        replace(data, references=[texts[:1] for texts in data.references]),
        shape.inputs,
    )
