"""Phase 3: a student learns from people's scores, and the epoch that does best on other data is kept."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from farthing.core.errors import UnknownName, UsageError
from farthing.encoders.folder.locate import locate
from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.files.folders import check_new, claim_run, new_folder, write_json
from farthing.learn.cross.distil import prepared_student, rescale_head
from farthing.learn.cross.export.check import correlation, torch_scores
from farthing.learn.cross.students import KIND, Start, parameters
from farthing.learn.data.dataset import PairDataset, tokenised
from farthing.learn.data.humans import Judged
from farthing.learn.train.plots import plot_history
from farthing.learn.train.settings import Settings
from farthing.learn.train.training import History, fit, is_first_process, quiet
from farthing.students.layout import add_facts
from farthing.students.pair_ids import PairIds

Normalise = Literal["zscore", "range", "none"]
NORMALISE = ("zscore", "range", "none")
SETTINGS = Settings(epochs=4, rate=2e-5, warmup=0.0, checks=4)


@dataclass(slots=True)
class EpochScores:
    """Pearson with people on every watched set, one row an epoch, and the best epoch's weights in a folder."""

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


def normalised(scores: np.ndarray, how: Normalise) -> np.ndarray:
    """One data set's scores on a scale that sets share.

    >>> normalised(np.array([1.0, 3.0, 5.0]), "range").tolist()
    [0.0, 0.5, 1.0]
    """
    if how not in NORMALISE:
        raise UnknownName("normalisation", how, NORMALISE)
    if how == "none":
        return scores
    low, width = (scores.mean(), scores.std()) if how == "zscore" else (scores.min(), np.ptp(scores))
    return np.asarray((scores - low) / width)


def finetune(
    start: Start,
    sets: Sequence[Judged],
    target: str | Path,
    settings: Settings = SETTINGS,
    *,
    validation: Sequence[Judged] = (),
    normalise: Normalise = "zscore",
    freeze: bool = False,
    overwrite: bool = False,
    callbacks: tuple[Any, ...] = (),
) -> Finetuned:
    """Train on one or more data sets, each normalised by itself, and keep the epoch that is best on the validation.

    :param validation: other data sets; without them a tenth of every training set is held out
    :param freeze: train the head alone, which is wise where the data are few and the student is tiny
    """
    place = Path(target)
    check_new(place, overwrite)
    if not validation:
        sets, validation = split(sets, settings.seed)
    run = place.with_name(f"{place.name}.run")
    names = [[one.name, len(one), float(one.scores.sum())] for one in [*sets, *validation]]
    if is_first_process():
        claim_run(run, [asdict(start), asdict(settings), names, normalise, freeze])
    scores, history = train_on(start, sets, validation, run, settings, normalise, freeze, callbacks)
    if history.is_main:
        _write(place, run, scores, history, {"human": [one.name for one in sets], "normalise": normalise}, overwrite)
        shutil.rmtree(run, ignore_errors=True)
    return Finetuned(place, scores, history)


def split(sets: Sequence[Judged], seed: int, share: float = 0.1) -> tuple[list[Judged], list[Judged]]:
    """A tenth of every set for validation."""
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
    settings: Settings,
    normalise: Normalise = "zscore",
    freeze: bool = False,
    callbacks: tuple[Any, ...] = (),
) -> tuple[EpochScores, History]:
    """Train, and score the watched sets after every epoch; the best epoch's student lies in `<run>/best`."""
    quiet()
    texts = [text for one in sets for part in one.flat()[:2] for text in part]
    model = prepared_student(start, texts, run, settings.seed)
    folder = run / "start"
    rows, targets = _training_rows(folder, sets, settings.limit, normalise)
    pad = Tokenizer(folder).pad
    match_scale(model, rows, targets, pad)
    if freeze:
        freeze_encoder(model)
    scores = EpochScores([one.name for one in watched])
    watch = _watcher(scores, [_watched(folder, one, settings.limit) for one in watched], run, pad)
    history = fit(model, pad, PairDataset(rows, targets), None, run, settings, (watch, *callbacks))
    return scores, history


def _training_rows(
    folder: Path, sets: Sequence[Judged], limit: int, normalise: Normalise
) -> tuple[list[PairIds], np.ndarray]:
    rows: list[PairIds] = []
    targets = []
    for one in sets:
        candidates, references, scores = one.flat()
        rows += tokenised(folder, candidates, references, limit)
        targets.append(normalised(scores, normalise))
    return rows, np.concatenate(targets)


def _watched(folder: Path, one: Judged, limit: int) -> tuple[str, list[PairIds], np.ndarray]:
    candidates, references, scores = one.flat()
    return one.name, tokenised(folder, candidates, references, limit), scores


def match_scale(model: Any, rows: Sequence[PairIds], targets: np.ndarray, pad: int) -> None:
    """Turn the head so that a distilled student starts on the targets' scale and need not unlearn its own."""
    model.eval()
    found = torch_scores(model, rows[:500], pad)
    spread = float(targets.std()) / max(float(found.std()), 1e-6)
    if found.std() > 1e-3:  # an untrained head says much the same about everything
        rescale_head(model, float(targets.mean()) - spread * float(found.mean()), spread)


def freeze_encoder(model: Any) -> None:
    """Leave everything as it is but the head and the pooler."""
    for name, part in model.named_parameters():
        part.requires_grad_("classifier" in name or "pooler" in name)


def _watcher(scores: EpochScores, watched: Sequence[tuple[str, list[PairIds], np.ndarray]], run: Path, pad: int) -> Any:
    from transformers import TrainerCallback

    class Watch(TrainerCallback):  # type: ignore[misc]
        """Scores the sets after every epoch, and keeps the notes beside the checkpoints."""

        def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            note = run / "epochs.json"
            scores.rows = json.loads(note.read_text())[: round(state.epoch or 0)] if note.exists() else []

        def on_epoch_end(self, args: Any, state: Any, control: Any, model: Any = None, **kwargs: Any) -> None:
            model.eval()
            plain = unwrapped(model)
            found = {name: correlation(human, torch_scores(plain, rows, pad)) for name, rows, human in watched}
            model.train()
            scores.rows.append(found)
            if not is_first_process():
                return
            if scores.best == len(scores.rows) - 1:
                with new_folder(run / "best", overwrite=True) as folder:
                    plain.save_pretrained(folder)
            (run / "epochs.json").write_text(json.dumps(scores.rows))

    return Watch()


def unwrapped(model: Any) -> Any:
    """The model itself, where a launcher wrapped it."""
    return getattr(model, "module", model)


def _write(
    place: Path, run: Path, scores: EpochScores, history: History, facts: Mapping[str, Any], overwrite: bool
) -> None:
    from transformers import AutoModelForSequenceClassification

    with new_folder(place, overwrite) as folder:
        model = AutoModelForSequenceClassification.from_pretrained(run / "best")
        model.save_pretrained(folder)
        for path in (run / "start").iterdir():
            if path.name not in ("config.json", "model.safetensors"):
                shutil.copy2(path, folder / path.name)
        validation = {"best_epoch": scores.best + 1, **scores.rows[scores.best]}
        add_facts(folder, kind=KIND, parameters=parameters(model), finetuned={**facts, "validation": validation})
        write_json(folder / "history.json", {"steps": history.steps, "epochs": scores.rows})
        plot_history(history, folder / "loss.png")


def start_of(name: str, layers: int | None = None, tokenizer: str | None = None) -> Start:
    """A start that exists, or a sentence before any work is done."""
    start = Start(name, layers, tokenizer)
    if not start.is_fresh:
        locate(name)
    return start
