"""Verdicts of an earlier run on other texts of the same systems: a table that says something before the first call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from farthing.core.arrays import Floats
from farthing.core.columns import Columns, RowReader
from farthing.core.errors import InputError, UsageError
from farthing.core.types import Pairs
from farthing.files.read import records
from farthing.judge.estimates import LEAST
from farthing.judge.fitted import EarlierVerdicts, Rows
from farthing.judge.labels import PROBABILITY
from farthing.judge.replay import SCORES, value_at


@dataclass(frozen=True, slots=True, eq=False)
class EarlierTable:
    """The judged rows of a table.

    :param systems: the name of each row's system; None if the table does not tell
    :param weights: how many rows each one stands for
    """

    pairs: Pairs
    systems: Sequence[str | None]
    verdicts: Floats
    weights: Floats

    def rated(self, student: Floats, names: Sequence[str]) -> EarlierVerdicts:
        """Add what the student says of these rows, and number segments and systems; other systems are numbered on.

        :param names: the systems that are judged now
        """
        segments: dict[tuple[object, ...], int] = {}
        systems: dict[str | None, int] = {name: place for place, name in enumerate(names)}
        sources = self.pairs.sources or [""] * len(self.pairs)
        texts = [(*references, source) for references, source in zip(self.pairs.references, sources, strict=True)]
        rows = Rows(
            student,
            np.array([segments.setdefault(one, len(segments)) for one in texts]),
            np.array([systems.setdefault(one, len(systems)) for one in self.systems]),
        )
        return EarlierVerdicts(rows, self.verdicts, self.weights)


def read_earlier(path: str) -> EarlierTable:
    """Read a table with texts, verdicts, and names of systems; rows without a verdict are passed over."""
    found = list(records(path, "jsonl"))
    if not found:
        raise InputError("there are no rows", path=path)
    reader, column = RowReader(path, Columns(), found[0][1]), _column(found[0][1], path)
    judged = [(number, record) for number, record in found if value_at(record, column) not in (None, "")]
    if len(judged) < LEAST:
        raise UsageError(
            f"{path} has {len(judged)} verdicts, which are too few for a scale: {LEAST} or more are needed"
        )
    rows = [reader.row(number, record) for number, record in judged]
    sources = [row.source or "" for row in rows] if all(row.source for row in rows) else None
    pairs = Pairs([row.candidate for row in rows], [row.references for row in rows], sources)
    verdicts = [_number(record, column, path, number) for number, record in judged]
    chances = [
        _number(record, PROBABILITY, path, number) if PROBABILITY in record else 1.0 for number, record in judged
    ]
    return EarlierTable(pairs, [row.system for row in rows], np.array(verdicts), 1 / np.array(chances))


def _column(record: Mapping[str, object], path: str) -> str:
    for name in SCORES:
        if name in record:
            return name
    raise InputError(f"no column of verdicts (there are: {', '.join(record)})", path=path, remedy="call it verdict")


def _number(record: Mapping[str, object], name: str, path: str, line: int) -> float:
    try:
        number = float(str(value_at(record, name)))
    except ValueError:
        number = np.nan
    if not np.isfinite(number) or (name == PROBABILITY and not 0 < number <= 1):
        raise InputError(f"{name} is {record.get(name)!r}, which cannot be", path=path, line=line)
    return number
