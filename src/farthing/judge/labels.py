"""Labels of some rows, people's or a judge's, joined to the rows that they are about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from farthing.core.arrays import Floats
from farthing.core.columns import Columns, RowReader
from farthing.core.errors import InputError, UsageError
from farthing.core.types import Pairs
from farthing.files.read import records
from farthing.judge.estimates import Labels
from farthing.judge.replay import SCORES, value_at

PROBABILITY, ROW = "probability", "row"


@dataclass(frozen=True, slots=True)
class LabelRow:
    """One label.

    :param row: the row of the system's outputs, from 1; None if the texts tell
    :param texts: candidate, references and source, as far as the table has them
    :param probability: how likely the row was to get a label; None if all rows were equally likely
    """

    line: int
    score: float
    system: str | None
    row: int | None
    texts: tuple[str, str, str]
    probability: float | None


@dataclass(frozen=True, slots=True, eq=False)
class JoinedLabels:
    """The labels of every system's rows.

    :param labels: one array per system, NaN for a row without a label
    :param probabilities: the same for probabilities, 1 for a row without a label; None if all rows were equally likely
    """

    labels: list[Labels]
    probabilities: list[Floats] | None


def read_labels(path: str, human: str | None = None) -> Iterator[LabelRow]:
    """Yield the rows of a table that have a label.

    :param human: the column of the labels; by default one with a usual name, such as score
    """
    reader: RowReader | None = None
    for number, record in records(path, "jsonl"):
        reader = reader or RowReader(path, Columns(), record, wanted="")
        human = human or _label_column(record, path)
        score = _number(record, human, path, number)
        if score is None:
            continue
        row = reader.row(number, record)
        place = _number(record, ROW, path, number)
        texts = (row.candidate, "\n".join(row.references), row.source or "")
        chance = _number(record, PROBABILITY, path, number)
        yield LabelRow(number, score, row.system, None if place is None else int(place), texts, chance)


def _label_column(record: Mapping[str, object], path: str) -> str:
    for name in SCORES:
        if name in record:
            return name
    raise InputError(f"no column of labels (there are: {', '.join(record)})", path=path, remedy="--human NAME")


def _number(record: Mapping[str, object], name: str, path: str, line: int) -> float | None:
    value = value_at(record, name)
    if value is None or value == "":
        return None
    try:
        number = float(str(value))
    except ValueError:
        raise InputError(f"{name} is {value!r}, which is no number", path=path, line=line) from None
    return None if np.isnan(number) else number


def joined_labels(systems: Sequence[Pairs], rows: Sequence[LabelRow], path: str) -> JoinedLabels:
    """Find the row of every label: by system and row, or by its texts; equal texts share a label."""
    if not rows:
        raise UsageError(f"{path} has no labels: fill in the column of scores for some rows")
    labels: list[Labels] = [np.full(len(pairs), np.nan) for pairs in systems]
    chances: list[Floats] = [np.ones(len(pairs)) for pairs in systems]
    by_texts, names = _places_by_texts(systems), _names(systems)
    for label in rows:
        for system, row in _places(label, systems, names, by_texts, path):
            labels[system][row] = label.score
            chances[system][row] = label.probability or 1.0
    if not any(np.isfinite(column).any() for column in labels):
        others = ", ".join(dict.fromkeys(str(row.system) for row in rows))
        here = ", ".join(pairs.system for pairs in systems)
        raise UsageError(f"{path} has labels of other systems only: {others} (here are: {here}; --names renames them)")
    told = [label.probability is not None for label in rows]
    if any(told) and not all(told):
        raise InputError(f"some labels have a {PROBABILITY} and some have none", path=path, remedy="give all or none")
    return JoinedLabels(labels, chances if all(told) else None)


def _places_by_texts(systems: Sequence[Pairs]) -> dict[tuple[str, ...], list[tuple[int, int]]]:
    found: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    for system, pairs in enumerate(systems):
        for row, candidate in enumerate(pairs.candidates):
            references = "\n".join(pairs.references[row])
            source = pairs.sources[row] if pairs.sources is not None else ""
            for key in {(candidate, references, source), (candidate, references), (candidate, source), (candidate,)}:
                found.setdefault(key, []).append((system, row))
    return found


def _places(
    label: LabelRow,
    systems: Sequence[Pairs],
    names: Mapping[str, int],
    by_texts: Mapping[tuple[str, ...], list[tuple[int, int]]],
    path: str,
) -> list[tuple[int, int]]:
    candidate, references, source = label.texts
    if label.row is not None and (label.system in names or len(systems) == 1):
        system = names.get(label.system or "", 0)
        row = label.row - 1
        if 0 <= row < len(systems[system]) and candidate in ("", systems[system].candidates[row]):
            return [(system, row)]
    other = references or source
    for key in ((candidate, references, source), (candidate, other), (candidate,)):
        if candidate and (found := by_texts.get(key)):
            return found if other or len(found) == 1 else _ambiguous(label, path)
    if label.system is not None and label.system not in names:
        return []  # a label of a system that is not looked at now
    raise InputError(
        "no output has the texts of this label", path=path, line=label.line,
        remedy="give the columns system and row, or candidate and reference",
    )  # fmt: skip


def _names(systems: Sequence[Pairs]) -> dict[str, int]:
    """Return the places of systems by their names; those of files also by the names without an ending."""
    stems = [Path(pairs.system).stem for pairs in systems]
    short = {stem: place for place, stem in enumerate(stems) if stems.count(stem) == 1}
    return {**short, **{pairs.system: place for place, pairs in enumerate(systems)}}


def _ambiguous(label: LabelRow, path: str) -> list[tuple[int, int]]:
    raise InputError(
        "several outputs have the text of this label",
        path=path,
        line=label.line,
        remedy="add the columns system and row",
    )
