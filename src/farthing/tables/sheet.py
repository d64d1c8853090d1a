"""A table of formatted cells, as plain text, LaTeX, Markdown or HTML."""

from __future__ import annotations

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


def sheet_text(sheet: Sheet, *, color: bool = False) -> str:
    """Format aligned columns, the first flush left; `color` prints strong cells in bold."""
    lines = [sheet.head, *sheet.rows]
    widths = [max(len(line[place].text) for line in lines) for place in range(len(sheet.head))]
    head, *body = ["  ".join(_padded(line, widths, color)).rstrip() for line in lines]
    return "\n".join([head, "─" * (sum(widths) + 2 * (len(widths) - 1)), *body, *sheet.legend])


def _padded(line: Sequence[SheetCell], widths: Sequence[int], color: bool) -> list[str]:
    cells = [line[0].text.ljust(widths[0])]
    cells += [cell.text.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)]
    return [f"\x1b[1m{text}\x1b[0m" if color and cell.strong else text for text, cell in zip(cells, line, strict=True)]


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
