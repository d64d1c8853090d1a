"""A table of formatted cells, as plain text, LaTeX, Markdown or HTML."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from farthing.core.html import HtmlCell


@dataclass(frozen=True, slots=True)
class SheetCell:
    """One cell.

    :param text: the cell as plain text
    :param latex: the cell in LaTeX; None stands for the escaped text
    :param strong: whether the cell stands out (in bold, if there is bold)
    """

    text: str
    latex: str | None = None
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """A head, rows with as many cells, lines below the table, and comments below its LaTeX form."""

    head: Sequence[SheetCell]
    rows: Sequence[Sequence[SheetCell]]
    legend: Sequence[str] = ()
    comments: Sequence[str] = ()


def terminal_width() -> int | None:
    """Return how many characters fit into a line, if results are printed to a terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def sheet_text(sheet: Sheet, *, color: bool = False, width: int | None = None) -> str:
    """Format aligned columns, the first flush left, folded if they are wider than `width`; bold cells if `color`."""
    lines = [sheet.head, *sheet.rows]
    return "\n".join([*text_lines(lines, width=width, color=color), *sheet.legend])


def text_lines(
    lines: Sequence[Sequence[SheetCell]],
    *,
    right: bool = True,
    rule: bool = True,
    width: int | None = None,
    color: bool = False,
) -> list[str]:
    """Align the columns of a table, the first flush left; a table that is too wide is folded, or turned on its side.

    :param right: put the other columns flush right
    :param rule: draw a line below the head
    :param width: how many characters fit into a line; None for any number
    """
    widths = [max(len(line[place].text) for line in lines) for place in range(len(lines[0]))]
    groups: list[list[int]] = [list(range(len(widths)))]
    if width is not None and sum(widths) + 2 * (len(widths) - 1) > width:
        from farthing.tables.folding import column_groups, turned_lines

        groups = column_groups(widths, width)
        if not groups:
            return turned_lines([[cell.text for cell in line] for line in lines], width)
    printed: list[str] = []
    for places in groups:
        head, *body = ["  ".join(_padded(line, places, widths, right, color)).rstrip() for line in lines]
        drawn = "─" * (sum(widths[place] for place in places) + 2 * (len(places) - 1))
        printed += [*([""] if printed else []), head, *([drawn] if rule else []), *body]
    return printed


def _padded(
    line: Sequence[SheetCell], places: Sequence[int], widths: Sequence[int], right: bool, color: bool
) -> list[str]:
    padded = [
        line[place].text.rjust(widths[place]) if right and place else line[place].text.ljust(widths[place])
        for place in places
    ]
    return [
        f"\x1b[1m{text}\x1b[0m" if color and line[place].strong else text
        for text, place in zip(padded, places, strict=True)
    ]


def sheet_latex(sheet: Sheet) -> str:
    """Format a booktabs table, followed by the comments."""
    lines = [rf"\begin{{tabular}}{{l{'r' * (len(sheet.head) - 1)}}}", r"\toprule", _latex_line(sheet.head), r"\midrule"]
    lines += [_latex_line(row) for row in sheet.rows]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", *(f"% {comment}" for comment in sheet.comments)])


def _latex_line(line: Sequence[SheetCell]) -> str:
    return " & ".join(latex_escaped(cell.text) if cell.latex is None else cell.latex for cell in line) + r" \\"


def sheet_markdown(sheet: Sheet) -> str:
    """Format a Markdown table, followed by the legend."""
    lines = [_markdown_line(sheet.head), "|---" + "|--:" * (len(sheet.head) - 1) + "|"]
    lines += [_markdown_line(row) for row in sheet.rows]
    gap = [""] if any(sheet.legend[:1]) else []  # a line right below a Markdown table would be one of its rows
    return "\n".join([*lines, *gap, *sheet.legend])


def _markdown_line(line: Sequence[SheetCell]) -> str:
    cells = [cell.text.replace("|", "\\|") for cell in line]
    bold = [f"**{text}**" if cell.strong else text for text, cell in zip(cells, line, strict=True)]
    return f"| {' | '.join(bold)} |"


def sheet_html(sheet: Sheet) -> str:
    """Format an HTML table followed by the legend; what stands behind a number, such as its interval, is set small."""
    from farthing.core.html import html_table  # late: only notebooks and reports need it

    rows = [[_html_cell(cell) for cell in row] for row in sheet.rows]
    return html_table([cell.text for cell in sheet.head], rows, sheet.legend)


def _html_cell(cell: SheetCell) -> HtmlCell:
    from farthing.core.html import HtmlCell

    number, _, aside = cell.text.partition(" ")
    if not number.removeprefix("-").replace(".", "", 1).isdigit():
        return HtmlCell(cell.text, cell.strong)
    return HtmlCell(number, cell.strong, aside)


def latex_escaped(text: str) -> str:
    """Escape every character that has a meaning in LaTeX."""
    return "".join(
        r"\textbackslash{}" if letter == "\\" else f"\\{letter}" if letter in "&%$#_{}" else letter for letter in text
    )
