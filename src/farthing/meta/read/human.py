"""Human judgements: what people said about which system's output for which segment.

One row is one output. A table (jsonl, tsv, csv, parquet) has columns for candidate, reference(s), source, system,
segment, language pair and one or more scores; all but the candidate may be absent. A missing score is empty, null
or NaN and becomes NaN. :mod:`farthing.meta.read.formats` reads every other format of judgements, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from farthing.core.columns import Columns, RowReader
from farthing.core.errors import InputError
from farthing.core.types import Note, Pairs
from farthing.files.read import records
from farthing.meta.judgements import EVERYTHING, Judgements
from farthing.meta.read.cells import GROUP, SCORE, SEGMENT, SYSTEM, cell_at, find_column, has_cell, no_column, number_of

SYSTEM_SCORE = "system_score"


@dataclass(frozen=True, slots=True)
class HumanColumns:
    """The user's choice of columns; what is None or empty is guessed.

    A dot reaches into an object: `scores.fluency`. The group `none` puts everything into one.
    """

    text: Columns = field(default_factory=Columns)
    system: str | None = None
    segment: str | None = None
    group: str | None = None
    scores: tuple[str, ...] = ()


def read_table(path: str, columns: HumanColumns | None = None, stdin_format: str = "jsonl") -> Judgements:
    """Read a table of judgements."""
    return judgements_of(records(path, stdin_format), path, columns)


def judgements_of(
    rows: Iterable[tuple[int, Mapping[str, object]]], path: str = "data", columns: HumanColumns | None = None
) -> Judgements:
    """Make judgements of numbered records, such as a list of dicts in memory; `path` names them in messages."""
    table = _Table(path, columns or HumanColumns())
    for number, record in rows:
        for row in _unfolded(record):
            table.add(number, row)
    return table.judgements()


def _unfolded(record: Mapping[str, object]) -> Iterable[Mapping[str, object]]:
    """Turn a record that holds a whole test set (`systems`: name to outputs) into one record per output."""
    systems = record.get("systems")
    return _outputs(record, systems) if isinstance(systems, dict) else [record]


def _outputs(record: Mapping[str, object], systems: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """Each system is a list of outputs, or an object that holds such a list and the system's own human score."""
    columns = {name: value for name, value in record.items() if isinstance(value, list)}
    same = {name: value for name, value in record.items() if name not in columns and name != "systems"}
    for system, given in systems.items():
        own = {SYSTEM_SCORE: given.get("score")} if isinstance(given, dict) else {}
        outputs = given.get("output", given) if isinstance(given, dict) else given
        if not isinstance(outputs, Iterable):
            raise InputError(f"system {system!r} must be a list of outputs, found {type(outputs).__name__}")
        for place, output in enumerate(outputs):
            one = {name: values[place] for name, values in columns.items() if place < len(values)}
            yield {**same, **own, **one, "system": system, "segment_id": place + 1, "candidate": output}


class _Table:
    """Gathers rows; the first one decides which columns are used."""

    def __init__(self, path: str, columns: HumanColumns) -> None:
        self.path, self.columns = path, columns
        self.reader: RowReader | None = None
        self.rows: list[tuple[str, tuple[str, ...], str | None]] = []
        self.keys: list[tuple[str, str, str]] = []
        self.values: list[list[float]] = []
        self.lines: list[int] = []
        self.without_reference: list[int] = []
        self.whole: dict[tuple[str, str], float] = {}
        self.count = 0

    def add(self, number: int, record: Mapping[str, object]) -> None:
        """Take one row; one without a reference is only counted, if others have one."""
        reader = self.reader = self.reader or self._settle(record)
        line, self.count = self.count, self.count + 1
        if reader.references and all(not record.get(name) for name in reader.references):
            self.without_reference.append(line)
            return
        row = reader.row(number, record)
        group = str(record.get(self.group, EVERYTHING)) if self.group else EVERYTHING
        system = str(record.get(self.system, "")) if self.system else ""
        segment = str(record.get(self.segment, "")) if self.segment else ""
        # Every part of a corpus may number its segments from 1, so the source or the references tell them apart.
        content = row.source if row.source is not None else "\n".join(row.references)
        self.keys.append((group, system, f"{segment}\t{content}"))
        self.rows.append((row.candidate, row.references, row.source))
        self.values.append([number_of(cell_at(record, name), self.path, number, name) for name in self.score_names])
        self.lines.append(line)
        if SYSTEM_SCORE in record:
            self.whole[group, system] = number_of(record[SYSTEM_SCORE], self.path, number, SYSTEM_SCORE)

    def _settle(self, record: Mapping[str, object]) -> RowReader:
        self.system = find_column(self.path, record, self.columns.system, SYSTEM, "system")
        self.segment = find_column(self.path, record, self.columns.segment, SEGMENT, "segment")
        none = self.columns.group == "none"
        self.group = None if none else find_column(self.path, record, self.columns.group, GROUP, "by")
        self.score_names = self._score_columns(record)
        return RowReader(self.path, self.columns.text, record)

    def _score_columns(self, record: Mapping[str, object]) -> list[str]:
        if self.columns.scores:
            for name in self.columns.scores:
                if not has_cell(record, name):
                    raise no_column(self.path, record, name, "human")
            return list(self.columns.scores)
        found = find_column(self.path, record, None, SCORE, "human")
        nested = record.get("scores")
        inner = [f"scores.{name}" for name in nested] if isinstance(nested, dict) else []
        return [*([found] if found else []), *inner]

    def judgements(self) -> Judgements:
        """Return what was gathered, with one row per output."""
        if not self.rows:
            raise InputError("no row can be used", path=self.path)
        systems = self._named_systems()
        kept = self._merged(systems)
        rows = [self.rows[places[0]] for places in kept]
        with_sources = all(row[2] is not None for row in rows)
        texts = Pairs(
            [row[0] for row in rows], [row[1] for row in rows], [row[2] or "" for row in rows] if with_sources else None
        )
        first = [places[0] for places in kept]
        values = np.array(self.values, dtype=float).reshape(len(self.values), len(self.score_names))
        means = np.array([_mean(values[places]) for places in kept])
        scores = {name: means[:, place] for place, name in enumerate(self.score_names)}
        return Judgements(
            texts,
            tuple(systems[place] for place in first),
            tuple(self.keys[place][2] for place in first),
            tuple(self.keys[place][0] for place in first),
            scores,
            system_scores={"score": self.whole} if self.whole else {},
            path=self.path,
            lines=np.array([self.lines[place] for place in first]),
            length=self.count,
            notes=self._notes(len(self.rows) - len(kept)),
        )

    def _named_systems(self) -> list[str]:
        """Return the systems' names; without them, the first output for an item is system 1, the second system 2 …"""
        if self.system:
            return [key[1] for key in self.keys]
        seen: dict[tuple[str, str], int] = {}
        names = []
        for group, _, item in self.keys:
            seen[group, item] = seen.get((group, item), 0) + 1
            names.append(str(seen[group, item]))
        return names

    def _merged(self, systems: Sequence[str]) -> list[list[int]]:
        """Group the rows that judge the same output."""
        places: dict[tuple[str, str, str], list[int]] = {}
        for place, (system, (group, _, item)) in enumerate(zip(systems, self.keys, strict=True)):
            known = places.setdefault((group, system, item), [])
            if known and self.rows[known[0]][0] != self.rows[place][0]:
                raise InputError(
                    f"system {system!r} has two different outputs for one segment",
                    path=self.path,
                    line=self.lines[place] + 1,
                    remedy="name the columns with --system and --segment",
                )
            known.append(place)
        return list(places.values())

    def _notes(self, repeated: int) -> tuple[Note, ...]:
        notes = []
        if self.without_reference:
            rows = tuple(self.without_reference)
            notes.append(Note("left out", f"{len(rows)} rows have no reference", rows))
        if repeated:
            notes.append(Note("averaged", f"{repeated} rows judge an output again: its scores are averaged"))
        return tuple(notes)


def _mean(values: np.ndarray) -> np.ndarray:
    """Average several judgements of one output, column by column; NaN if there are none."""
    if len(values) == 1:
        return np.asarray(values[0])
    counts = np.sum(~np.isnan(values), axis=0)
    return np.asarray(np.where(counts > 0, np.nansum(values, axis=0) / np.maximum(counts, 1), np.nan))
