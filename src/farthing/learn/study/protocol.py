"""The paper's Table 2: train on one set, choose the epoch on the others, test on the one that is left.

A student is trained once a set and seed; its score on every other set after every epoch is all that the table needs.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from farthing.core.errors import UsageError
from farthing.learn.cross.finetune import SETTINGS, Normalisation, train_on
from farthing.learn.cross.settings import CrossSettings
from farthing.learn.cross.start import Start
from farthing.learn.data.humans import Judged
from farthing.learn.train.checkpoint import last_checkpoint


@dataclass(frozen=True, slots=True)
class Cell:
    """Mean and deviation over the seeds, for one student trained on one set and tested on another."""

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
    say: Callable[[str], None] = lambda text: None,
) -> list[Cell]:
    """All cells of the table.

    :param starts: students by name, such as the bare encoder and the distilled one
    :param sets: at least three: one to train on, one to choose the epoch on, one to test on
    """
    names = [one.name for one in sets]
    if len(sets) < 3 or len(set(names)) < len(names):
        raise UsageError("the protocol needs at least three data sets with different names")
    cells = []
    for label, start in starts.items():
        for trained in sets:
            others = [one for one in sets if one is not trained]
            found = []
            for seed in range(settings.seed, settings.seed + seeds):
                place = run / f"{label}-{trained.name}-{seed}"
                say(f"{label}: training on {trained.name}, seed {seed}")
                found.append(_epochs(start, trained, others, place, _seeded(settings, seed), normalise, freeze))
            cells += [_cell(label, trained.name, one.name, found) for one in others]
    return cells


def _seeded(settings: CrossSettings, seed: int) -> CrossSettings:
    from dataclasses import replace

    return replace(settings, seed=seed)


def _epochs(
    start: Start,
    trained: Judged,
    others: Sequence[Judged],
    place: Path,
    settings: CrossSettings,
    normalise: Normalisation,
    freeze: bool,
) -> list[dict[str, float]]:
    place.mkdir(parents=True, exist_ok=True)
    scores, _ = train_on(start, [trained], others, place, settings, normalise, freeze)
    if last_checkpoint(place):
        shutil.rmtree(place)
    return scores.rows


def _cell(label: str, trained: str, tested: str, runs: Sequence[list[dict[str, float]]]) -> Cell:
    values = [chosen(epochs, tested) for epochs in runs]
    return Cell(label, trained, tested, float(np.mean(values)), float(np.std(values)))


def chosen(epochs: Sequence[Mapping[str, float]], tested: str) -> float:
    """The test score of the epoch that is best on the sets that are neither trained nor tested on.

    >>> chosen([{"a": 0.1, "b": 0.9}, {"a": 0.5, "b": 0.2}], tested="b")
    0.2
    """
    validation = [np.mean([value for name, value in row.items() if name != tested]) for row in epochs]
    return float(epochs[int(np.argmax(validation))][tested])


def as_rows(cells: Sequence[Cell]) -> list[dict[str, str]]:
    """The table as people print it: one row a training set and student, one column a test set, in percent."""
    tested = list(dict.fromkeys(cell.tested for cell in sorted(cells, key=lambda cell: cell.tested)))
    rows = []
    for trained in dict.fromkeys(cell.trained for cell in cells):
        for student in dict.fromkeys(cell.student for cell in cells):
            mine = {cell.tested: cell for cell in cells if (cell.trained, cell.student) == (trained, student)}
            shown = {name: _shown(mine.get(name)) for name in tested}
            average = np.mean([cell.mean for cell in mine.values()])
            rows.append({"trained on": trained, "student": student, **shown, "average": f"{100 * average:.1f}"})
    return rows


def _shown(cell: Cell | None) -> str:
    return "-" if cell is None else f"{100 * cell.mean:.1f} ±{100 * cell.deviation:.1f}"
