"""Tables for narrow terminals: nothing is lost, nothing is cut, and lines fit if their longest cell does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from farthing.tables.aligned import aligned
from farthing.tables.folding import column_groups, turned_lines
from farthing.tables.grid import NumberTable, grid_text
from farthing.tables.sheet import Sheet, SheetCell, sheet_text

WORDS = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=20)


@st.composite
def tables(draw: st.DrawFn) -> list[list[str]]:
    columns = draw(st.integers(2, 7))
    return draw(st.lists(st.lists(WORDS, min_size=columns, max_size=columns), min_size=2, max_size=5))


@given(st.lists(st.integers(1, 30), min_size=2, max_size=9), st.integers(4, 100))
def test_blocks_hold_every_column_once_and_fit(widths: list[int], room: int) -> None:
    groups = column_groups(widths, room)
    if any(widths[0] + 2 + width > room for width in widths[1:]):
        assert groups == []
        return
    assert [place for group in groups for place in group[1:]] == list(range(1, len(widths)))
    assert all(sum(widths[place] for place in group) + 2 * (len(group) - 1) <= room for group in groups)


@given(tables(), st.integers(6, 120))
def test_no_cell_is_lost_or_cut_and_lines_fit(lines: list[list[str]], room: int) -> None:
    head, *rows = [[SheetCell(text) for text in line] for line in lines]
    printed = sheet_text(Sheet(head, rows), width=room).splitlines()
    words = {word for line in printed for word in line.split()}
    assert {text for line in lines[1:] for text in line} | set(lines[0][1:]) <= words
    longest = max(len(text) for line in lines for text in line)
    assert all(len(line) <= max(room, longest + 4) for line in printed)


def test_a_folded_table_repeats_the_names() -> None:
    table = NumberTable("metric", ["cs-en", "de-en"], [("chrf", [0.5, 0.25]), ("bleu", [None, 1.0])], notes=["note"])
    assert grid_text(table, width=14).splitlines() == [
        "metric  cs-en",
        "─────────────",
        "chrf    0.500",
        "bleu    –",
        "",
        "metric  de-en",
        "─────────────",
        "chrf    0.250",
        "bleu    1.000",
        "note",
    ]
    assert grid_text(table, width=80) == grid_text(table)


def test_a_table_with_long_names_is_turned() -> None:
    rows = [{"system": "/data/outputs/run-17.txt", "bleu": "30.1", "chrf": "5"}]
    assert aligned(rows, width=24).splitlines() == ["/data/outputs/run-17.txt", "  bleu  30.1", "  chrf  5"]
    lines = [["system", "bertscore(layer=5) ↑"], ["a", "0.9123 [0.9001, 0.9211]"]]
    assert turned_lines(lines, 30) == ["a", "  bertscore(layer=5) ↑", "    0.9123 [0.9001, 0.9211]"]
