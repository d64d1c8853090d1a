"""A table of numbers with a name in front of each row, as text, CSV, LaTeX or Markdown."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from farthing.tables.sheet import Sheet, SheetCell, sheet_latex, sheet_markdown, text_lines

MISSING = "–"


@dataclass(frozen=True, slots=True)
class NumberTable:
    """Rows of numbers; None is an undefined number.

    :param corner: the heading of the column of names
    :param marked: places (row, column) that stand out: in bold, or with a star if there is no bold
    :param notes: lines below the table
    :param decimals: of every column, unless `places` has one number per column
    """

    corner: str
    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[float | None]]]
    marked: frozenset[tuple[int, int]] = frozenset()
    notes: Sequence[str] = ()
    decimals: int = 3
    places: Sequence[int] = ()

    def cell(self, value: float | None, column: int) -> str:
        """Format a number of a column."""
        decimals = self.places[column] if self.places else self.decimals
        return MISSING if value is None else f"{value:.{decimals}f}"


def grid_text(table: NumberTable, *, width: int | None = None) -> str:
    """Format a table as aligned columns of plain text, folded if they are wider than `width`.

    >>> print(grid_text(NumberTable("metric", ["a"], [("x", [0.5]), ("y", [None])], frozenset({(0, 0)}))))
    metric  a
    ──────────────
    x       0.500*
    y       –
    """
    body = [
        [name, *(table.cell(v, c) + ("*" if (r, c) in table.marked else "") for c, v in enumerate(values))]
        for r, (name, values) in enumerate(table.rows)
    ]
    lines = [[SheetCell(text) for text in line] for line in ([table.corner, *table.columns], *body)]
    return "\n".join([*text_lines(lines, right=False, width=width), *table.notes])


def grid_csv(table: NumberTable) -> str:
    """Format a table as CSV with all digits; the cell of an undefined number is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([table.corner, *table.columns])
    writer.writerows([name, *("" if value is None else repr(value) for value in values)] for name, values in table.rows)
    return text.getvalue().rstrip("\n")


def grid_latex(table: NumberTable) -> str:
    """Format a table for LaTeX with booktabs, marked numbers in bold, notes as comments below."""
    return sheet_latex(_sheet(table))


def grid_markdown(table: NumberTable) -> str:
    """Format a table as Markdown, marked numbers in bold, notes below.

    >>> print(grid_markdown(NumberTable("metric", ["a"], [("x", [0.5]), ("y", [None])], frozenset({(0, 0)}))))
    | metric | a |
    |---|--:|
    | x | **0.500** |
    | y | – |
    """
    return sheet_markdown(_sheet(table))


def _sheet(table: NumberTable) -> Sheet:
    rows = [
        [SheetCell(name), *(_cell(table.cell(value, c), (r, c) in table.marked) for c, value in enumerate(values))]
        for r, (name, values) in enumerate(table.rows)
    ]
    head = [SheetCell(name) for name in (table.corner, *table.columns)]
    return Sheet(head, rows, legend=table.notes, comments=[note for note in table.notes if note])


def _cell(text: str, strong: bool) -> SheetCell:
    latex = "--" if text == MISSING else text
    return SheetCell(text, rf"\textbf{{{latex}}}" if strong else latex, strong)
