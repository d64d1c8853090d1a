"""Human scores from a table of their own, joined to outputs that come from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from farthing.core.columns import SYSTEM
from farthing.core.errors import InputError
from farthing.core.types import Note
from farthing.files.read import records
from farthing.meta.judgements import Judgements
from farthing.meta.read.cells import GROUP, SCORE, SEGMENT, find_column, number_of
from farthing.meta.read.human import HumanColumns

Key: TypeAlias = tuple[str, str, str]  #: group, system and segment


def join_scores(judgements: Judgements, path: str, columns: HumanColumns | None = None) -> Judgements:
    """Read human scores from a table, by system and, if the table has them, segment and language pair.

    Several scores of one output (by several raters) are averaged. Scores without a segment judge whole systems.
    """
    wanted = columns or HumanColumns()
    gathered: dict[str, dict[Key, list[float]]] = {}
    outputs: _Columns | None = None
    for number, record in records(path):
        outputs = outputs or _Columns.of(path, record, wanted)
        for name in _score_columns(path, record, wanted):
            value = number_of(record[name], path, number, name)
            gathered.setdefault(name, {}).setdefault(outputs.key(record), []).append(value)
    means = {name: {key: _mean(values) for key, values in found.items()} for name, found in gathered.items()}
    return _joined(judgements, means, outputs is not None and outputs.segment is not None, path)


def _joined(
    judgements: Judgements, means: Mapping[str, Mapping[Key, float]], by_segment: bool, path: str
) -> Judgements:
    segments = [item.partition("\t")[0] if by_segment else "" for item in judgements.items]
    keys = list(zip(judgements.groups, judgements.systems, segments, strict=True))

    columns = {name: np.array([_look_up(scores, key) for key in keys]) for name, scores in means.items()}
    if all(np.isnan(values).all() for values in columns.values()):
        raise InputError("no row fits an output", path=path, remedy="check systems, segments and language pairs")
    left = int(np.sum(np.isnan(next(iter(columns.values())))))
    note = (Note("missing", f"{left} outputs have no score in {path}"),) if left else ()
    if by_segment:
        return replace(judgements, scores=columns, notes=(*judgements.notes, *note))
    whole = {
        name: {(group, system): float(value) for (group, system, _), value in zip(keys, values, strict=True)}
        for name, values in columns.items()
    }
    return replace(judgements, system_scores=whole, notes=(*judgements.notes, *note))


def _look_up(scores: Mapping[Key, float], key: Key) -> float:
    """Return the score of an output; scores without a language pair are for all of them."""
    return scores.get(key, scores.get(("", *key[1:]), float("nan")))


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns that say which output a score is for."""

    group: str | None
    system: str
    segment: str | None

    @classmethod
    def of(cls, path: str, record: Mapping[str, object], wanted: HumanColumns) -> _Columns:
        system = find_column(path, record, wanted.system, SYSTEM, "system")
        if system is None:
            there = ", ".join(record)
            raise InputError("no column of systems", path=path, remedy=f"there are: {there}; name it with --system")
        segment = find_column(path, record, wanted.segment, SEGMENT, "segment")
        group = None if wanted.group == "none" else find_column(path, record, wanted.group, GROUP, "by")
        return cls(group, system, segment)

    def key(self, record: Mapping[str, object]) -> Key:
        group, segment = ("" if name is None else str(record[name]) for name in (self.group, self.segment))
        return group, str(record[self.system]), segment


def _score_columns(path: str, record: Mapping[str, object], wanted: HumanColumns) -> tuple[str, ...]:
    for name in wanted.scores:
        find_column(path, record, name, (), "human")
    found = wanted.scores or tuple(filter(None, [find_column(path, record, None, SCORE, "human")]))
    if not found:
        raise InputError(
            "no column of scores", path=path, remedy=f"there are: {', '.join(record)}; name it with --human"
        )
    return found


def _mean(values: list[float]) -> float:
    given = [value for value in values if not np.isnan(value)]
    return float(np.mean(given)) if given else float("nan")
