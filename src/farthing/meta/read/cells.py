"""Single columns and cells of a table of judgements: found by name, and turned into numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from farthing.core.columns import IDENTITY
from farthing.core.errors import InputError

SEGMENT = (*IDENTITY, "sid", "segid", "item")
GROUP = ("lp", "language_pair", "langs", "lang", "language")
# `farthing judge -o` writes verdicts beside scores, some of which are only expected.
SCORE = ("verdict", "score", "human", "human_score", "mqm", "da", "z", "rating", "label")
MISSING = frozenset(["", "none", "nan", "na", "null"])


def find_column(
    path: str, record: Mapping[str, object], named: str | None, usual: Sequence[str], flag: str
) -> str | None:
    """Return the column that the user named, or the first of the usual names that exists."""
    if named is not None:
        if named not in record:
            raise no_column(path, record, named, flag)
        return named
    lower = {name.lower(): name for name in record}
    return next((lower[name] for name in usual if name in lower), None)


def no_column(path: str, record: Mapping[str, object], name: str, flag: str) -> InputError:
    """Say that a column is missing, which columns exist, and which option names it."""
    return InputError(f"no column {name!r}", path=path, remedy=f"there are: {', '.join(record)}; name it with --{flag}")


def cell_at(record: Mapping[str, object], name: str) -> object:
    """Return the value of a column; a dot in its name reaches into an object. None if there is no such column."""
    if name in record:
        return record[name]
    outer, _, inner = name.partition(".")
    nested = record.get(outer)
    return nested.get(inner) if isinstance(nested, Mapping) else None


def has_cell(record: Mapping[str, object], name: str) -> bool:
    """True if the record has such a column, even if it is empty."""
    outer, _, inner = name.partition(".")
    nested = record.get(outer)
    return name in record or (isinstance(nested, Mapping) and inner in nested)


def number_of(value: object, path: str, line: int, column: str) -> float:
    """Return a score as a number, NaN for a missing one."""
    if value is None or (isinstance(value, str) and value.strip().lower() in MISSING):
        return float("nan")
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        number = float("inf")
    if np.isinf(number):
        raise InputError(
            f"{value!r} in column {column!r} is not a number",
            path=path,
            line=line,
            remedy="leave a missing score empty",
        )
    return number
