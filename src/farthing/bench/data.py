"""The texts that metrics are measured on, with what people said about them, if they did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from farthing.bench.passes import spread_rows
from farthing.core.errors import InputError
from farthing.meta.judgements import Judgements
from farthing.meta.read.formats import read_judgements
from farthing.meta.read.human import HumanColumns

NO_COLUMN = "none"  #: the name of a column of human scores that asks for costs alone


@dataclass(frozen=True, slots=True)
class BenchData:
    """Judged texts.

    :param human: the column of human scores; None if quality is not measured
    """

    name: str
    judgements: Judgements
    human: str | None
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.judgements)


def read_bench_data(
    path: str, columns: HumanColumns, *, limit: int | None = None, groups: Sequence[str] = ()
) -> BenchData:
    """Read a table of judgements, or of texts alone; scores that no correlation could be computed with are refused.

    :param columns: the column of human scores `none` leaves out quality
    :param limit: at most so many rows, evenly spread
    """
    costs_alone = columns.scores == (NO_COLUMN,)
    wanted = HumanColumns(columns.text, columns.system, columns.segment, columns.group) if costs_alone else columns
    judgements = read_judgements(path, wanted, groups=groups)
    if limit is not None:
        judgements = judgements.taking(spread_rows(len(judgements), limit))
    human = None if costs_alone else next(iter(judgements.scores), None)
    if human is not None:
        _check_scores(judgements, human)
    return BenchData(data_name(path), judgements, human, tuple(_notes(judgements, human, costs_alone)))


def data_name(path: str) -> str:
    """Return the name of a data set: that of its file without endings.

    >>> data_name("data/wmt16.jsonl.gz")
    'wmt16'
    """
    return Path(path).resolve().name.partition(".")[0]


def _check_scores(judgements: Judgements, human: str) -> None:
    remedy = "pass --human none to measure costs alone"
    scores = judgements.judged(human)
    missing = np.flatnonzero(np.isnan(scores))
    if len(missing):
        row = int(judgements.lines[missing[0]]) + 1
        more = f" ({len(missing)} such rows)" if len(missing) > 1 else ""
        raise InputError(
            f"row {row} has no number in the column {human!r}{more}",
            path=judgements.path,
            remedy=f"leave it out, or {remedy}",
        )
    if np.ptp(scores) == 0:
        raise InputError(
            f"all scores in the column {human!r} are {scores[0]:g}: no correlation with them is defined",
            path=judgements.path,
            remedy=remedy,
        )


def _notes(judgements: Judgements, human: str | None, costs_alone: bool) -> list[str]:
    empty = sum(not text.strip() for text in judgements.texts.candidates)
    notes = [f"{judgements.path}: {empty} candidate{'s have' if empty > 1 else ' has'} no text"] if empty else []
    if human is None and not costs_alone:
        notes.append(f"{judgements.path}: there is no column of human scores, so quality is not measured")
    return notes
