"""Phase 3: a student learns from human scores, and the epoch that does best on other data is kept."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from farthing.core.arrays import Segments
from farthing.core.digest import digest_json
from farthing.core.errors import UnknownName, UsageError
from farthing.core.progress import Log, silent_log
from farthing.core.types import Need
from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.files.folders import check_new, claim_run, new_folder, write_json
from farthing.learn.adapters.methods import AdapterMethod
from farthing.learn.cross.adapted import Adapted, adapt_student, write_adapted
from farthing.learn.cross.distil import START, copy_tokenizer, prepared_student, rescale_head, run_of
from farthing.learn.cross.objective import pair_objective
from farthing.learn.cross.scores import correlation, torch_scores
from farthing.learn.cross.settings import CrossSettings
from farthing.learn.cross.start import KIND, Start
from farthing.learn.data.dataset import PairDataset, tokenised
from farthing.learn.data.humans import Judged
from farthing.learn.data.provenance import TEACHER
from farthing.learn.train.history import History
from farthing.learn.train.layers import count_parameters
from farthing.learn.train.loop import train
from farthing.learn.train.plots import plot_history
from farthing.learn.train.processes import is_first_process
from farthing.students.layout import add_facts
from farthing.students.pair_ids import PairIds

if TYPE_CHECKING:
    from transformers import PreTrainedModel

Normalisation: TypeAlias = Literal["zscore", "range", "none"]
NORMALISATIONS = ("zscore", "range", "none")
SETTINGS = CrossSettings(epochs=4, rate=2e-5, warm_up=0.0, checks=4)
MEAN = "mean of the sets"  # the figure that chooses the epoch


@dataclass(slots=True)
class EpochScores:
    """Pearson with people on every watched set, one row per epoch."""

    names: list[str]
    rows: list[dict[str, float]] = field(default_factory=list)

    @property
    def best(self) -> int:
        """The epoch (from 0) with the best mean over the sets."""
        return int(np.argmax([np.mean([row[name] for name in self.names]) for row in self.rows]))


@dataclass(frozen=True, slots=True)
class Finetuned:
    """A finished student: where it is, and how it did on the validation sets after every epoch."""

    folder: Path
    scores: EpochScores
    history: History


def normalised(scores: Segments, how: Normalisation) -> Segments:
    """Bring the scores of one data set to a scale that sets share.

    >>> normalised(np.array([1.0, 3.0, 5.0]), "range").tolist()
    [0.0, 0.5, 1.0]
    """
    if how not in NORMALISATIONS:
        raise UnknownName("normalisation", how, NORMALISATIONS)
    if how == "none":
        return scores
    low, width = (scores.mean(), scores.std()) if how == "zscore" else (scores.min(), np.ptp(scores))
    return np.asarray((scores - low) / width)


def finetune(
    start: Start,
    sets: Sequence[Judged],
    target: str | Path,
    settings: CrossSettings = SETTINGS,
    *,
    validation: Sequence[Judged] = (),
    normalise: Normalisation = "zscore",
    freeze: bool = False,
    adapter: AdapterMethod | None = None,
    against: Need = "reference",
    facts: Mapping[str, object] | None = None,
    overwrite: bool = False,
    log: Log = silent_log,
) -> Finetuned:
    """Train on one or more data sets, each normalised by itself, and keep the epoch that is best on the validation.

    :param validation: other data sets; without them a tenth of every training set is held out
    :param freeze: train only the head, which is wise if the data are few and the student is tiny
    :param adapter: train only the head and an adapter of this method; one that cannot be merged is written as a graph
    :param against: what the finished student compares candidates with; the sets have it as their references
    :param facts: further facts for the student's folder, such as who gave the scores
    """
    place = Path(target)
    if freeze and adapter:
        raise UsageError("--freeze trains only the head: leave it out, or leave out --adapter")
    check_new(place, overwrite)
    if not validation:
        sets, validation = split_off(sets, settings.seed)
    run = run_of(place)
    found = _finetuned(start, sets, validation, run, settings, normalise, freeze, log, adapter)
    model, scores, history, adapted = found
    if history.is_main:
        told = {**(facts or {}), "against": against}
        own: dict[str, object] = {"human": [one.name for one in sets], "pairs": sum(map(len, sets))}
        own["scores_by"] = told.pop(TEACHER, None)  # the fact itself is that of a distillation before
        own["normalise"] = normalise
        own["validation"] = {"best_epoch": scores.best + 1, **scores.rows[scores.best]}
        _write(place, model, run, scores, history, {**told, "finetuned": own}, overwrite, adapted)
        shutil.rmtree(run, ignore_errors=True)
    return Finetuned(place, scores, history)


def split_off(sets: Sequence[Judged], seed: int, share: float = 0.1) -> tuple[list[Judged], list[Judged]]:
    """Hold out a tenth of every set for validation."""
    kept, held = [], []
    for one in sets:
        order = np.random.default_rng([seed, len(one)]).permutation(len(one))
        count = max(3, round(share * len(one)))
        if len(one) < 2 * count:
            raise UsageError(f"{one.name} has only {len(one)} judged pairs: give --validation data")
        held.append(one.taking(order[:count]))
        kept.append(one.taking(order[count:]))
    return kept, held


def train_on(
    start: Start,
    sets: Sequence[Judged],
    watched: Sequence[Judged],
    run: Path,
    settings: CrossSettings,
    normalise: Normalisation = "zscore",
    freeze: bool = False,
    log: Log = silent_log,
) -> tuple[EpochScores, History]:
    """Train, and score the watched sets after every epoch."""
    _, scores, history, _ = _finetuned(start, sets, watched, run, settings, normalise, freeze, log)
    return scores, history


def _finetuned(
    start: Start,
    sets: Sequence[Judged],
    watched: Sequence[Judged],
    run: Path,
    settings: CrossSettings,
    normalise: Normalisation,
    freeze: bool,
    log: Log,
    method: AdapterMethod | None = None,
) -> tuple[PreTrainedModel, EpochScores, History, Adapted | None]:
    """Train a student; it has the weights of its best epoch."""
    if is_first_process():
        content = [[one.name, digest_json([*one.flat()[:2], one.scores.tolist()])] for one in [*sets, *watched]]
        claim_run(run, [asdict(start), asdict(settings), content, normalise, freeze, *([method] if method else [])])
    texts = [text for one in sets for part in one.flat()[:2] for text in part]
    model = prepared_student(start, texts, run, settings)
    folder = run / START
    rows, targets = _training_rows(folder, sets, settings.limit, normalise)
    pad = Tokenizer(folder).pad
    match_scale(model, rows, targets, pad)
    if freeze:
        freeze_encoder(model)
    adapted = adapt_student(model, method) if method else None
    held = [_watched(folder, one, settings.limit) for one in watched]

    def check() -> dict[str, float]:
        figures = {name: correlation(human, torch_scores(model, pairs, pad)) for name, pairs, human in held}
        return {**figures, MEAN: float(np.mean(list(figures.values())))}

    objective = pair_objective(model, pad, PairDataset(rows, targets), settings, check=check, goal=MEAN)
    history = train(objective, settings, run, log=log, each_epoch=True)
    names = [one.name for one in watched]
    epochs = EpochScores(names, [{name: row[name] for name in names} for row in history.checks])
    return model, epochs, history, adapted


def _training_rows(
    folder: Path, sets: Sequence[Judged], limit: int, normalise: Normalisation
) -> tuple[list[PairIds], Segments]:
    rows: list[PairIds] = []
    targets = []
    for one in sets:
        candidates, references, scores = one.flat()
        rows += tokenised(folder, candidates, references, limit)
        targets.append(normalised(scores, normalise))
    return rows, np.concatenate(targets)


def _watched(folder: Path, one: Judged, limit: int) -> tuple[str, list[PairIds], Segments]:
    candidates, references, scores = one.flat()
    return one.name, tokenised(folder, candidates, references, limit), scores


def match_scale(model: PreTrainedModel, rows: Sequence[PairIds], targets: Segments, pad: int) -> None:
    """Rescale the head so that a distilled student starts on the scale of the targets, not on its own."""
    model.eval()
    scores = torch_scores(model, rows[:500], pad)
    spread = float(targets.std()) / max(float(scores.std()), 1e-6)
    if scores.std() > 1e-3:  # an untrained head gives about the same score to everything
        rescale_head(model, float(targets.mean()) - spread * float(scores.mean()), spread)


def freeze_encoder(model: PreTrainedModel) -> None:
    """Freeze everything but the head and the pooler."""
    for name, part in model.named_parameters():
        part.requires_grad_("classifier" in name or "pooler" in name)


def _write(
    place: Path,
    model: PreTrainedModel,
    run: Path,
    scores: EpochScores,
    history: History,
    facts: Mapping[str, object],
    overwrite: bool,
    adapted: Adapted | None = None,
) -> None:
    with new_folder(place, overwrite) as folder:
        write_adapted(folder, model, adapted)
        copy_tokenizer(run, folder)
        add_facts(folder, kind=KIND, parameters=count_parameters(model), **facts)
        write_json(folder / "history.json", {"steps": history.steps, "epochs": scores.rows})
        plot_history(history, folder / "loss.png")
