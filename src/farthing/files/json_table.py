"""Rows of a JSON document: a list of objects or texts, an object of columns, or either inside an object."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from farthing.core.errors import InputError

_SHAPES = "give a list of objects, an object of columns, or one object per line"
JsonRow = dict[str, object]


def json_rows(content: object, path: str, text: str) -> list[JsonRow]:
    """Return the rows of a parsed document.

    :param text: the column of rows that are bare texts, or lists of texts

    >>> json_rows({"mt": ["a", "b"], "ref": ["c", "d"]}, "a.json", "text")
    [{'mt': 'a', 'ref': 'c'}, {'mt': 'b', 'ref': 'd'}]
    """
    if isinstance(content, list):
        return [_row(row, number, path, text) for number, row in enumerate(content, start=1)]
    if not isinstance(content, dict):
        raise InputError(f"holds a single {type(content).__name__}", path=path, remedy=_SHAPES)
    if isinstance(names := content.get("columns"), list) and isinstance(rows := content.get("data"), list):
        return [
            dict(zip(map(str, names), cast(Sequence[object], row), strict=False)) for row in rows
        ]  # pandas' "split"
    lists = {name: value for name, value in content.items() if isinstance(value, list) and value}
    tables = [name for name, value in lists.items() if all(isinstance(row, dict) for row in value)]
    if len(tables) > 1:
        raise InputError(f"holds several tables: {', '.join(tables)}", path=path, remedy="give a file with one of them")
    if tables:
        return json_rows(content[tables[0]], path, text)
    if lists and len(lists) == len(content):
        return _rows_of_columns(lists, path)
    if content and all(isinstance(value, dict) for value in content.values()):
        return _rows_of_objects(content, path)
    return [content]


def _row(row: object, number: int, path: str, text: str) -> JsonRow:
    if isinstance(row, dict):
        return row
    if isinstance(row, str | list):
        return {text: row}
    kind = type(row).__name__
    raise InputError(f"expected a JSON object, found {kind}", path=path, line=number, remedy=_SHAPES)


def _rows_of_columns(columns: Mapping[str, Sequence[object]], path: str) -> list[JsonRow]:
    counts = {name: len(values) for name, values in columns.items()}
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{name} has {count}" for name, count in counts.items())
        raise InputError(f"the columns have different lengths: {told}", path=path, remedy="give one value per row")
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def _rows_of_objects(content: Mapping[str, Mapping[str, object]], path: str) -> list[JsonRow]:
    """Read columns by row number, as pandas writes them, or rows by their ids."""
    first = next(iter(content.values()))
    if first and all(key.isdigit() for key in first):
        return _rows_of_columns({name: list(column.values()) for name, column in content.items()}, path)
    return [{"id": name, **row} for name, row in content.items()]


def is_json_lines(lines: Iterable[str]) -> bool:
    """Tell whether a text that is not one JSON document begins like a file of objects, one per line."""
    first = next((line.strip() for line in lines if line.strip()), "")
    return first.startswith("{") and first.endswith("}")
