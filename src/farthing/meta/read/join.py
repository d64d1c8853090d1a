"""Human scores from a table of their own, joined to outputs that come from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from farthing.core.errors import InputError
from farthing.core.types import Note
from farthing.files.read import records
from farthing.meta.judgements import Judgements
from farthing.meta.read.human import GROUP, SCORE, SEGMENT, SYSTEM, HumanColumns, find_column, number_of


def join_scores(judgements: Judgements, path: str, columns: HumanColumns | None = None) -> Judgements:
    """Human scores from a table, by system and, where the table has them, segment and language pair.

    Several scores of one output (by several raters) are averaged. Without a segment they judge whole systems.
    """
    wanted = columns or HumanColumns()
    gathered: dict[str, dict[tuple[str, str, str], list[float]]] = {}
    names: dict[str, str | None] = {}
    for number, record in records(path):
        if not names:
            names = _join_columns(path, record, wanted)
        key = tuple(str(record[names[part]]) if names[part] else "" for part in ("group", "system", "segment"))  # type: ignore[index]
        for column in _score_columns(path, record, wanted):
            value = number_of(record[column], path, number, column)
            gathered.setdefault(column, {}).setdefault(key, []).append(value)  # type: ignore[arg-type]
    means = {column: {key: _mean(values) for key, values in found.items()} for column, found in gathered.items()}
    return _joined(judgements, means, bool(names.get("segment")), path)


def _joined(
    judgements: Judgements, means: Mapping[str, Mapping[tuple[str, str, str], float]], by_segment: bool, path: str
) -> Judgements:
    missing = float("nan")
    segments = [item.partition("\t")[0] if by_segment else "" for item in judgements.items]
    keys = list(zip(judgements.groups, judgements.systems, segments, strict=True))

    def look_up(found: Mapping[tuple[str, str, str], float], key: tuple[str, str, str]) -> float:
        return found.get(key, found.get(("", *key[1:]), missing))

    columns = {name: np.array([look_up(found, key) for key in keys]) for name, found in means.items()}
    if all(np.isnan(values).all() for values in columns.values()):
        raise InputError(
            "none of its rows fits an output", path=path, remedy="check systems, segments and language pairs"
        )
    left = int(np.sum(np.isnan(next(iter(columns.values())))))
    note = (Note("missing", f"{left} outputs have no score in {path}"),) if left else ()
    if by_segment:
        return replace(judgements, scores=columns, notes=(*judgements.notes, *note))
    whole = {
        name: {(group, system): float(value) for (group, system, _), value in zip(keys, values, strict=True)}
        for name, values in columns.items()
    }
    return replace(judgements, system_scores=whole, notes=(*judgements.notes, *note))


def _join_columns(path: str, record: Mapping[str, Any], wanted: HumanColumns) -> dict[str, str | None]:
    system = find_column(path, record, wanted.system, SYSTEM, "system")
    if system is None:
        there = ", ".join(record)
        raise InputError("no column of systems", path=path, remedy=f"there are: {there}; name it with --system")
    segment = find_column(path, record, wanted.segment, SEGMENT, "segment")
    group = None if wanted.group == "none" else find_column(path, record, wanted.group, GROUP, "by")
    return {"system": system, "segment": segment, "group": group}


def _score_columns(path: str, record: Mapping[str, Any], wanted: HumanColumns) -> tuple[str, ...]:
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
