"""A whole table in memory: a data frame, an Arrow table or a dict of columns, with the columns by their usual names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from farthing.core.arrays import Vectors
from farthing.core.columns import MEMORY, Columns, RowReader
from farthing.core.errors import UsageError
from farthing.core.texts import TextTable, as_list, as_table, reference_rows, wrong_text


@dataclass(frozen=True, slots=True)
class TableTexts:
    """What a table holds, one entry per row."""

    candidates: list[str]
    references: Sequence[Sequence[str]]
    sources: list[str] | None = None
    ids: list[str] | None = None
    documents: list[str] | None = None


def texts_of_table(table: TextTable, columns: Columns | None = None) -> TableTexts:
    """Return the texts of a table.

    :param columns: the names of the columns, the usual ones by default; a table with one column needs no name

    >>> texts_of_table({"MT": ["a b"], "ref": ["a c"]}).references
    [('a c',)]
    """
    columns, cells = columns or Columns(), _cells(table)
    if len(cells) == 1 and columns.candidate is None:
        columns = replace(columns, candidate=next(iter(cells)))
    reader = _reader(cells, columns)
    candidates = texts_of_column(cells[reader.candidate or ""], f"candidates ({reader.candidate})")
    chosen = [name for name in reader.references if name != reader.candidate]
    return TableTexts(
        candidates,
        _references(cells, chosen) if chosen else [[]] * len(candidates),
        texts_of_column(cells[reader.source], f"sources ({reader.source})") if reader.source else None,
        names_of_column(cells[reader.identity], "ids") if reader.identity else None,
        names_of_column(cells[reader.document], "documents") if reader.document else None,
    )


def names_of_column(column: object, name: str) -> list[str]:
    """Return a column of names, such as ids, which may be numbers.

    >>> names_of_column((1, "b"), "ids")
    ['1', 'b']
    """
    return [str(one) for one in as_list(column, name)]


def texts_of_column(column: object, name: str) -> list[str]:
    """Return the texts of a column, or raise a sentence that names the row without one."""
    texts = []
    for row, text in enumerate(as_list(column, name)):
        if not isinstance(text, str):
            raise wrong_text(name, row, text)
        texts.append(text)
    return texts


def set_members(data: object, name: str) -> Sequence[str] | Vectors:
    """Return the vectors or the texts of one set."""
    array = np.asarray(data) if hasattr(data, "__array__") and not hasattr(data, "columns") else None
    if array is not None and array.dtype.kind in "fiub":
        return array
    table = as_table(data)
    if table is not None:
        return texts_of_table(table).candidates
    return [text for entry in reference_rows(data, name) for text in entry]


def system_columns(table: TextTable) -> tuple[dict[str, list[object]], TextTable]:
    """Part the columns of systems from those of references, sources and ids.

    >>> systems, rest = system_columns({"ours": ["a"], "theirs": ["b"], "ref": ["c"]})
    >>> list(systems), list(rest)
    (['ours', 'theirs'], ['ref'])
    """
    cells = _cells(table)
    if not cells:
        raise UsageError("the table of systems has no columns")
    reader = _reader(cells, Columns(candidate=next(iter(cells))))
    others = {*reader.references, reader.source, reader.identity, reader.document}
    systems = {name: column for name, column in cells.items() if name not in others}
    return systems, {name: column for name, column in cells.items() if name in others}


def _cells(table: TextTable) -> dict[str, list[object]]:
    return {name: as_list(column, f"the column {name!r}") for name, column in table.items()}


def _reader(cells: dict[str, list[object]], columns: Columns) -> RowReader:
    return RowReader(MEMORY, columns, {name: column[0] if column else "" for name, column in cells.items()})


def _references(cells: dict[str, list[object]], names: Sequence[str]) -> list[Sequence[str]]:
    rows = reference_rows(cells[names[0]] if len(names) == 1 else {name: cells[name] for name in names})
    return [tuple(row) for row in rows]
