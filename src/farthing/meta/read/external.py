"""Scores that were made elsewhere, from a file with one number per line or from a column of a table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from farthing.core.columns import SYSTEM, TEXT
from farthing.core.errors import InputError, UsageError
from farthing.files.read import format_of, records
from farthing.meta.judgements import Judgements
from farthing.meta.read.cells import find_column, number_of
from farthing.meta.read.human import HumanColumns
from farthing.meta.read.join import join_scores
from farthing.meta.scored import Scored


def read_scored(text: str, judgements: Judgements, lower: Sequence[str] = ()) -> Scored:
    """Read scores that are given as `name=path` (one number per line) or `name=path:column` (a table).

    A file with as many rows as the judgements is read row by row; a table that names systems (and segments) is
    joined by them.

    :param lower: the names of metrics whose lower scores are better
    """
    name, found, rest = text.partition("=")
    if not found or not name or not rest:
        raise UsageError(f"{text!r} is not of the form name=file or name=file:column")
    path, column = _place(rest)
    if format_of(path) == "txt":
        values = [number_of(record[TEXT], path, line, TEXT) for line, record in records(path)]
        return Scored(name, _by_row(np.array(values), judgements, path), name not in lower, f"{name}|file:{path}")
    rows = list(records(path))
    if column is None or (rows and column not in rows[0][1]):
        there = ", ".join(rows[0][1]) if rows else "none"
        raise InputError(
            f"no column {column!r}" if column else "which column?", path=path, remedy=f"there are: {there}"
        )
    signature = f"{name}|file:{path}|column:{column}"
    if len(rows) in (judgements.length, len(judgements)):
        values = [number_of(record.get(column), path, line, column) for line, record in rows]
        return Scored(name, _by_row(np.array(values), judgements, path), name not in lower, signature)
    if find_column(path, rows[0][1], None, SYSTEM, "system") is None:
        raise _wrong_length(path, len(rows), judgements)
    joined = join_scores(judgements, path, HumanColumns(scores=(column,)))
    if column in joined.system_scores and column not in joined.scores:
        whole = joined.system_scores[column]
        return Scored(name, np.full(len(judgements), np.nan), name not in lower, signature, whole=whole)
    return Scored(name, joined.scores[column], name not in lower, signature)


def score_path(text: str) -> str:
    """Return the file of scores that are given as `name=path` or `name=path:column`."""
    return _place(text.partition("=")[2])[0]


def _place(text: str) -> tuple[str, str | None]:
    """Split path and column; a colon belongs to the path if a file of that name exists."""
    path, found, column = text.rpartition(":")
    return (path, column) if found and not Path(text).exists() else (text, None)


def _by_row(values: np.ndarray, judgements: Judgements, path: str) -> np.ndarray:
    if len(values) == judgements.length:
        return np.asarray(values[judgements.lines])
    if len(values) == len(judgements):
        return values
    raise _wrong_length(path, len(values), judgements)


def _wrong_length(path: str, count: int, judgements: Judgements) -> InputError:
    return InputError(
        f"{count} scores, but {judgements.path} has {judgements.length} rows",
        path=path,
        remedy="give one score per row, or a table with the columns system and segment",
    )
