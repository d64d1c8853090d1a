"""Read pairs that people judged, for training and for evaluation alike.

A row without a candidate, a reference or a score is left out and reported with its file, line and reason.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TypeAlias

import numpy as np

from farthing.core.arrays import Segments
from farthing.core.columns import IDENTITY, REFERENCE, SOURCE, SYSTEM, Columns, RowReader
from farthing.core.errors import InputError, UnknownName
from farthing.core.progress import Log, silent_log
from farthing.core.types import Need
from farthing.files.read import records
from farthing.learn.data.humans import Judged
from farthing.learn.data.marks import with_error_scores, wrong_spans
from farthing.meta.judgements import Judgements
from farthing.meta.read.human import HumanColumns, judgements_of

Numbered: TypeAlias = "tuple[int, dict[str, object]]"  #: the line of a record, from 1, and its columns
MEAN = "mean"  # the column of the mean of several
NAMED = 5  # rows that are left out and reported one by one; of the others only the number is told


def read_judged(
    path: str | Path,
    *,
    human: str | Sequence[str] | None = None,
    by: str | None = None,
    groups: Sequence[str] = (),
    only: Mapping[str, str] | None = None,
    indivisible: Mapping[str, int] | None = None,
    without: Sequence[Path] = (),
    text: Columns | None = None,
    marks: str | None = None,
    least: int = 3,
    needs: Collection[Need] | None = None,
    log: Log = silent_log,
) -> Judged:
    """Read judged pairs from a table.

    :param human: the column of the human scores, by default the first of the usual names; of several columns, each is
        standardised within its group, and a row's score is their mean
    :param by: the column of the groups, by default guessed; "none" puts all rows into one group
    :param groups: keep the groups that fit one of these patterns, such as "*-en"
    :param only: patterns that other columns must fit, such as `{"split": "train"}`
    :param indivisible: columns of whole numbers; rows in which one is divisible by the given number are left out
    :param without: files whose texts must not occur; of the file itself, the rows that `only` leaves out (say, its
        test split, which may share texts with its training split)
    :param text: the names of the columns of texts, by default the first of the usual names
    :param marks: the column that tells which parts of a candidate are wrong: a post-edit, or a list of spans
    :param least: fewer pairs than this are an error
    :param needs: what every row must have besides a candidate, and no text may be empty then; by default a reference
    :param log: is told which rows are left out
    """
    name = str(path)
    rows: list[Numbered] = [(number, with_error_scores(record)) for number, record in records(name)]
    texts = TextColumns(name, rows, text, needs)
    rows = _allowed(rows, texts, only or {}, [str(one) for one in without])
    rows = [(number, record) for number, record in rows if not _divisible(record, indivisible or {})]
    left_out, complete = _split(rows, texts, by)
    chosen = (human,) if isinstance(human, str) else tuple(human or ())
    table = judgements_of(complete, name, HumanColumns(text or Columns(), group=by, scores=chosen))
    if len(chosen) > 1:
        table = replace(table, scores={MEAN: _mean_of(table)})
    known = np.isfinite(table.judged())
    left_out += [(complete[int(table.lines[row])][0], "it has no score") for row in np.flatnonzero(~known)]
    _report(name, left_out, log)
    judged = _checked(table := _in_groups(table.taking(np.flatnonzero(known).tolist()), groups), least)
    if marks is None:
        return judged
    found = (complete[int(line)][1].get(marks) for line in table.lines)
    return replace(judged, wrong=[wrong_spans(*one) for one in zip(judged.candidates, found, strict=True)])


class TextColumns:
    """The columns of candidates and of what they are compared with, taken from the first record that has them.

    :param needs: what every row must have, and no text may be empty then; by default a reference
    """

    def __init__(
        self,
        path: str,
        rows: Sequence[Numbered],
        columns: Columns | None = None,
        needs: Collection[Need] | None = None,
    ) -> None:
        self.strict, self.needs = needs is not None, frozenset({"reference"} if needs is None else needs)
        readers = (RowReader(path, columns or Columns(), record, wanted="") for _, record in rows)
        chosen = next((reader for reader in readers if reader.candidate and self._has_columns(reader)), None)
        if chosen is None:
            there = ", ".join(rows[0][1]) if rows else "none"
            what = " and ".join(f"a {need}" for need in ("candidate", *sorted(self.needs)))
            raise InputError(f"no row has {what}", path=path, remedy=f"the columns are: {there}")
        self.path, self.candidate, self.references = path, str(chosen.candidate), chosen.references
        self.source = chosen.source

    def _has_columns(self, reader: RowReader) -> bool:
        there = {"reference": bool(reader.references), "source": reader.source is not None}
        return all(there[need] for need in self.needs)

    def texts(self, record: Mapping[str, object]) -> set[str]:
        """Return the candidate and the references of a record, as far as it has them."""
        values = [record.get(name) for name in (self.candidate, *self.references)]
        cells = [cell for value in values for cell in (value if isinstance(value, list) else [value])]
        return {cell for cell in cells if isinstance(cell, str)}

    def fault(self, record: Mapping[str, object]) -> str:
        """Say what a record lacks; nothing if it is complete."""
        if record.get(self.candidate) is None:
            return "it has no candidate"
        if "reference" in self.needs and not any(record.get(name) for name in self.references):
            return "it has no reference"
        return self._empty(record) if self.strict else ""

    def _empty(self, record: Mapping[str, object]) -> str:
        """Say which text is empty; nothing if none is."""
        sides = {"candidate": [self.candidate], "reference": self.references, "source": [self.source or ""]}
        for side in ("candidate", *sorted(self.needs)):
            cells = [record.get(name) for name in sides[side]]
            texts = [text for cell in cells for text in (cell if isinstance(cell, list) else [cell])]
            if not any(isinstance(text, str) and text.strip() for text in texts):
                return f"its {side} is empty"
        return ""


def texts_in(paths: Iterable[str]) -> set[str]:
    """Read every candidate and reference of some files."""
    return {text for path in paths for text in _texts_of(list(records(path)), path)}


def _texts_of(rows: Sequence[Numbered], path: str) -> set[str]:
    columns = TextColumns(path, rows)
    return {text for _, record in rows for text in columns.texts(record)}


def _allowed(
    rows: Sequence[Numbered], columns: TextColumns, only: Mapping[str, str], without: Sequence[str]
) -> list[Numbered]:
    """Return the rows that fit the patterns and share no text with what must not occur."""
    barred = texts_in([other for other in without if other != columns.path])
    if columns.path in without:
        barred.update(*(columns.texts(record) for _, record in rows if not _fits(record, only)))
    kept = [(n, record) for n, record in rows if _fits(record, only) and not barred & columns.texts(record)]
    if not kept:
        raise InputError("no row is left to learn from", path=columns.path)
    return kept


def _fits(record: Mapping[str, object], only: Mapping[str, str]) -> bool:
    return all(fnmatchcase(str(record.get(column)), pattern) for column, pattern in only.items())


def _divisible(record: Mapping[str, object], numbers: Mapping[str, int]) -> bool:
    return any(int(str(record.get(column))) % number == 0 for column, number in numbers.items())


def _mean_of(table: Judgements) -> Segments:
    """Average the columns of scores, each with mean 0 and deviation 1 in every group; missing scores do not count."""
    standard = np.array([_standardised(values, table.groups) for values in table.scores.values()])
    known = np.isfinite(standard)
    sums = np.where(known, standard, 0.0).sum(axis=0)
    means: Segments = np.divide(sums, known.sum(axis=0), out=np.full(len(table), np.nan), where=known.any(axis=0))
    return means


def _standardised(values: np.ndarray, groups: Sequence[str]) -> np.ndarray:
    standard = np.full(len(values), np.nan)
    for group in dict.fromkeys(groups):
        rows = [row for row, name in enumerate(groups) if name == group and np.isfinite(values[row])]
        if rows:
            standard[rows] = (values[rows] - values[rows].mean()) / max(values[rows].std(), 1e-9)
    return standard


def _split(
    rows: Sequence[Numbered], columns: TextColumns, by: str | None
) -> tuple[list[tuple[int, str]], list[Numbered]]:
    """Separate the rows that lack a text or contradict another one, with the reason, from those that can be used."""
    left_out, complete = [], []
    outputs: dict[tuple[object, ...], object] = {}
    for number, record in rows:
        fault = columns.fault(record)
        output = record.get(columns.candidate)
        if not fault and (key := _place_of(record, by)) and outputs.setdefault(key, output) != output:
            fault = "its system has another output for the same segment"
        if fault:
            left_out.append((number, fault))
        else:
            complete.append((number, record))
    if not complete:
        raise InputError(f"no row can be used: {left_out[0][1]}", path=columns.path, line=left_out[0][0])
    return left_out, complete


def _place_of(record: Mapping[str, object], by: str | None) -> tuple[object, ...] | None:
    """Name what a system's output is for, None if a record does not tell the system and the segment."""
    columns = [next((name for name in names if name in record), None) for names in (SYSTEM, IDENTITY)]
    if None in columns:
        return None
    texts = [str(record.get(name)) for name in (*SOURCE[:1], *REFERENCE[:1])]
    return (*(record.get(str(name)) for name in columns), record.get(by or ""), *texts)


def _report(path: str, left_out: Sequence[tuple[int, str]], log: Log) -> None:
    for number, reason in sorted(left_out)[:NAMED]:
        log(f"{path}:{number}: left out: {reason}")
    if len(left_out) > NAMED:
        log(f"{path}: {len(left_out)} rows are left out in all")


def _in_groups(table: Judgements, patterns: Sequence[str]) -> Judgements:
    """Return the rows whose group fits one of the patterns; all rows without a pattern."""
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in table.group_names):
            raise UnknownName("group", pattern, table.group_names)
    fitting = [name for name in table.group_names if any(fnmatchcase(name, pattern) for pattern in patterns)]
    return table.only(fitting) if patterns else table


def _checked(table: Judgements, least: int) -> Judged:
    if len(table) < least:
        raise InputError(f"{len(table)} judged pairs are too few", path=table.path, remedy=f"give at least {least}")
    scores = table.judged()
    if len(table) > 1 and np.ptp(scores) < 1e-9:
        raise InputError(f"all human scores are the same ({scores[0]:g})", path=table.path, remedy="choose a column")
    name = Path(table.path).name.partition(".")[0]
    references = [list(texts) for texts in table.texts.references]
    segments = [f"{group}\t{item}" for group, item in zip(table.groups, table.items, strict=True)]
    sources = list(table.texts.sources or ())
    return Judged(name, list(table.texts.candidates), references, scores, list(table.groups), segments, sources=sources)
