"""The paper's Table 2: train on one set, choose the epoch on the others, test on the one that is left.

A student is trained once per set and seed; its scores on every other set after every epoch are all that the table
needs.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from farthing.core.errors import UsageError
from farthing.core.progress import Log, silent_log
from farthing.learn.cross.finetune import SETTINGS, Normalisation, train_on
from farthing.learn.cross.settings import CrossSettings
from farthing.learn.cross.start import Start
from farthing.learn.data.humans import Judged


@dataclass(frozen=True, slots=True)
class TransferScore:
    """Mean and deviation over the seeds, for one student that was trained on one set and tested on another."""

    student: str
    trained: str
    tested: str
    mean: float
    deviation: float


def leave_one_out(
    starts: Mapping[str, Start],
    sets: Sequence[Judged],
    run: Path,
    settings: CrossSettings = SETTINGS,
    *,
    seeds: int = 3,
    normalise: Normalisation = "zscore",
    freeze: bool = False,
    log: Log = silent_log,
) -> list[TransferScore]:
    """Train every student on every set and test it on every other one.

    :param starts: students by name, such as the bare encoder and the distilled one
    :param sets: at least three: one to train on, one to choose the epoch on, one to test on
    """
    names = [one.name for one in sets]
    if len(sets) < 3 or len(set(names)) < len(names):
        raise UsageError("leaving one out needs at least three data sets with different names")
    scores = []
    for label, start in starts.items():
        for trained in sets:
            others = [one for one in sets if one is not trained]
            runs = []
            for seed in range(settings.seed, settings.seed + seeds):
                place = run / f"{label}-{trained.name}-{seed}"
                log(f"{label}: training on {trained.name}, seed {seed}")
                runs.append(_epochs(start, trained, others, place, replace(settings, seed=seed), normalise, freeze))
            scores += [_score(label, trained.name, one.name, runs) for one in others]
    return scores


def _epochs(
    start: Start,
    trained: Judged,
    others: Sequence[Judged],
    place: Path,
    settings: CrossSettings,
    normalise: Normalisation,
    freeze: bool,
) -> list[dict[str, float]]:
    """Train one student and return its agreement with people on the other sets after every epoch."""
    scores, _ = train_on(start, [trained], others, place, settings, normalise, freeze)
    shutil.rmtree(place)
    return scores.rows


def _score(label: str, trained: str, tested: str, runs: Sequence[list[dict[str, float]]]) -> TransferScore:
    values = [best_epoch_score(epochs, tested) for epochs in runs]
    return TransferScore(label, trained, tested, float(np.mean(values)), float(np.std(values)))


def best_epoch_score(epochs: Sequence[Mapping[str, float]], tested: str) -> float:
    """Return the test score of the epoch that is best on the sets that are neither trained nor tested on.

    >>> best_epoch_score([{"a": 0.1, "b": 0.9}, {"a": 0.5, "b": 0.2}], tested="b")
    0.2
    """
    validation = [np.mean([value for name, value in row.items() if name != tested]) for row in epochs]
    return float(epochs[int(np.argmax(validation))][tested])


def transfer_rows(scores: Sequence[TransferScore]) -> list[dict[str, str]]:
    """Lay the table out as in print: one row per training set and student, one column per test set, in percent."""
    tested = list(dict.fromkeys(one.tested for one in sorted(scores, key=lambda one: one.tested)))
    rows = []
    for trained in dict.fromkeys(one.trained for one in scores):
        for student in dict.fromkeys(one.student for one in scores):
            mine = {one.tested: one for one in scores if (one.trained, one.student) == (trained, student)}
            shown = {name: _shown(mine.get(name)) for name in tested}
            average = np.mean([one.mean for one in mine.values()])
            rows.append({"trained on": trained, "student": student, **shown, "average": f"{100 * average:.1f}"})
    return rows


def _shown(score: TransferScore | None) -> str:
    return "-" if score is None else f"{100 * score.mean:.1f} ±{100 * score.deviation:.1f}"
