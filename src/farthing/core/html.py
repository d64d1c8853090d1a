"""A table for a notebook: plain HTML whose colours are those of the page, be it light or dark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

_FRAME = "display:inline-block;max-width:100%;overflow-x:auto;line-height:1.5"
_TABLE = "border-collapse:collapse;margin:0;font-variant-numeric:tabular-nums"
_RULE = "1px solid color-mix(in srgb,currentColor 30%,transparent)"
_CELL = "padding:.25em .9em;background:none;white-space:nowrap"
_LEGEND = "font-size:85%;opacity:.75;margin:.4em .9em;max-width:60em;overflow-wrap:anywhere"


@dataclass(frozen=True, slots=True)
class HtmlCell:
    """One cell of text.

    :param strong: in bold
    :param aside: what follows in small letters, such as an interval
    """

    text: str
    strong: bool = False
    aside: str = ""


def html_table(head: Sequence[str], rows: Sequence[Sequence[HtmlCell]], legend: Sequence[str] = ()) -> str:
    """Format a table, the first column flush left and the others flush right, with lines of text below.

    :param head: the names of the columns; empty for a table without a head
    """
    cells = [HtmlCell(name) for name in head]
    top = f'<thead><tr style="border-bottom:{_RULE};background:none">{_line(cells, "th")}</tr></thead>' if head else ""
    body = "".join(f'<tr style="background:none">{_line(row, "td")}</tr>' for row in rows)
    below = "".join(f'<div style="{_LEGEND}">{escape(line)}</div>' for line in legend if line)
    table = f'<table style="{_TABLE}">{top}<tbody>{body}</tbody></table>'
    return f'<div style="{_FRAME}">{table}{below}</div>'


def _line(row: Sequence[HtmlCell], tag: str) -> str:
    sides = ("left", *["right"] * (len(row) - 1))
    return "".join(
        f'<{tag} style="{_CELL};text-align:{side}">{_inside(cell)}</{tag}>'
        for cell, side in zip(row, sides, strict=True)
    )


def _inside(cell: HtmlCell) -> str:
    text = f"<b>{escape(cell.text)}</b>" if cell.strong else escape(cell.text)
    aside = f' <span style="font-size:85%;opacity:.7">{escape(cell.aside)}</span>' if cell.aside else ""
    return text + aside
