"""Formatted cells in four forms."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from farthing.tables.sheet import (
    Sheet,
    SheetCell,
    latex_escaped,
    sheet_html,
    sheet_latex,
    sheet_markdown,
    sheet_text,
)

SHEET = Sheet(
    [SheetCell("system"), SheetCell("chrF ↑", r"chrF $\uparrow$")],
    [[SheetCell("a_1"), SheetCell("9.5", strong=True)], [SheetCell("b|<c>"), SheetCell("12.25")]],
    legend=["a legend", "", "more & more"],
    comments=["chrf|nrefs:1"],
)


def test_text_lines_up_with_numbers_flush_right() -> None:
    assert sheet_text(SHEET).splitlines() == [
        "system  chrF ↑",
        "──────────────",
        "a_1        9.5",
        "b|<c>    12.25",
        "a legend",
        "",
        "more & more",
    ]


def test_colour_changes_strong_cells_only_and_no_widths() -> None:
    coloured = sheet_text(SHEET, color=True)
    assert coloured.replace("\x1b[1m", "").replace("\x1b[0m", "") == sheet_text(SHEET)
    assert coloured.count("\x1b[1m") == 1


def test_latex_escapes_and_comments() -> None:
    assert sheet_latex(SHEET).splitlines() == [
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"system & chrF $\uparrow$ \\",
        r"\midrule",
        r"a\_1 & 9.5 \\",
        r"b|<c> & 12.25 \\",
        r"\bottomrule",
        r"\end{tabular}",
        "% chrf|nrefs:1",
    ]
    assert latex_escaped(r"a\{b}%") == r"a\textbackslash{}\{b\}\%"


def test_markdown_escapes_bars() -> None:
    assert sheet_markdown(SHEET).splitlines() == [
        "| system | chrF ↑ |",
        "|---|--:|",
        "| a_1 | **9.5** |",
        r"| b\|<c> | 12.25 |",
        "",  # without an empty line the legend would be a row
        "a legend",
        "",
        "more & more",
    ]


def test_html_is_well_formed_and_escaped() -> None:
    table = ElementTree.fromstring(sheet_html(SHEET))
    rows = [["".join(cell.itertext()) for cell in row] for row in table.iter("tr")]
    assert rows == [["system", "chrF ↑"], ["a_1", "9.5"], ["b|<c>", "12.25"]]
    assert [cell.text for cell in table.iter("b")] == ["9.5"]
    assert [line.text for line in table.findall("div")] == ["a legend", "more & more"]
