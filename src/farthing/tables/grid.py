"""A table of numbers with a name in front of each row, as text, CSV or LaTeX."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from farthing.tables.sheet import latex_escaped

MISSING = "–"


@dataclass(frozen=True, slots=True)
class NumberTable:
    """Rows of numbers; None is a number that does not exist.

    :param marked: places (row, column) that stand out: bold where there is bold, else with a star
    :param notes: lines below the table
    """

    corner: str
    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[float | None]]]
    marked: frozenset[tuple[int, int]] = frozenset()
    notes: Sequence[str] = ()
    decimals: int = 3

    def cell(self, value: float | None) -> str:
        """A number as it is printed."""
        return MISSING if value is None else f"{value:.{self.decimals}f}"


def as_text(table: NumberTable) -> str:
    """Plain characters, in columns.

    >>> print(as_text(NumberTable("metric", ["a"], [("x", [0.5]), ("y", [None])], frozenset({(0, 0)}))))
    metric  a
    ──────────────
    x       0.500*
    y       –
    """
    body = [
        [name, *(table.cell(v) + ("*" if (r, c) in table.marked else "") for c, v in enumerate(values))]
        for r, (name, values) in enumerate(table.rows)
    ]
    lines = [[table.corner, *table.columns], *body]
    widths = [max(len(line[place]) for line in lines) for place in range(len(lines[0]))]
    text = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    return "\n".join([text[0], "─" * (sum(widths) + 2 * (len(widths) - 1)), *text[1:], *table.notes])


def as_csv(table: NumberTable) -> str:
    """One line a row, numbers in full; an empty cell for one that does not exist."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([table.corner, *table.columns])
    writer.writerows([name, *("" if value is None else repr(value) for value in values)] for name, values in table.rows)
    return text.getvalue().rstrip("\n")


def as_latex(table: NumberTable) -> str:
    """A booktabs table, marked numbers in bold, the notes behind it as comments."""
    lines = [rf"\begin{{tabular}}{{l{'r' * len(table.columns)}}}", r"\toprule"]
    lines += [" & ".join(map(latex_escaped, [table.corner, *table.columns])) + r" \\", r"\midrule"]
    for r, (name, values) in enumerate(table.rows):
        cells = [_latex_cell(table, value, (r, c) in table.marked) for c, value in enumerate(values)]
        lines.append(" & ".join([latex_escaped(name), *cells]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", *(f"% {note}" for note in table.notes if note)])


def _latex_cell(table: NumberTable, value: float | None, bold: bool) -> str:
    text = "--" if value is None else table.cell(value)
    return rf"\textbf{{{text}}}" if bold else text
