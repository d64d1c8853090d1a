"""The results of one command: tables for people, and one document for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

from farthing.core.errors import UsageError
from farthing.files.write import write_text
from farthing.tables.grid import NumberTable, grid_csv, grid_latex, grid_text

ResultForm: TypeAlias = Literal["table", "json", "csv", "latex"]


@dataclass(frozen=True, slots=True)
class Results:
    """What a command found.

    :param document: everything, as values that JSON can hold
    :param notes: lines below the last table
    """

    tables: Sequence[NumberTable]
    document: Mapping[str, object]
    notes: Sequence[str] = ()

    def printed(self, form: ResultForm = "table", *, width: int | None = None, digits: int | None = None) -> str:
        """Return the results as text in one of the usual forms.

        :param width: how many characters fit into a line of a table
        :param digits: how many decimals numbers have, but for JSON and CSV, which have all
        """
        if form == "json":
            return json.dumps(self.document, ensure_ascii=False, indent=1, allow_nan=False)
        if form == "csv":
            return "\n\n".join(map(grid_csv, self.tables))
        tables = (
            self.tables if digits is None else [replace(table, decimals=digits, places=()) for table in self.tables]
        )
        if form == "latex":
            return "\n".join([*map(grid_latex, tables), *(f"% {note}" for note in self.notes)])
        return "\n".join([*(grid_text(table, width=width) for table in tables), *self.notes])

    def write(self, path: Path) -> None:
        """Write the document as a .json file."""
        write_text(path, self.printed("json") + "\n")


def check_results_path(path: Path) -> None:
    """Refuse a file that cannot be written, before the work is done."""
    if path.suffix.lower() not in (".json", ""):
        raise UsageError(f"{path}: results are written as .json, or to a folder such as run/")
    if not path.parent.is_dir():
        raise UsageError(f"{path}: the folder {path.parent} does not exist; make it first")
