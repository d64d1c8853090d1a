"""Tables of numbers in four forms."""

from __future__ import annotations

from farthing.tables.grid import NumberTable, grid_csv, grid_latex, grid_markdown, grid_text

TABLE = NumberTable(
    "metric", ["cs_en", "mean"], [("a", [0.12345, None]), ("longer", [0.5, 1.0])], frozenset({(1, 0)}), ["", "note"]
)


def test_text_lines_up_and_marks() -> None:
    assert grid_text(TABLE).splitlines() == [
        "metric  cs_en   mean",
        "─────────────────────",
        "a       0.123   –",
        "longer  0.500*  1.000",
        "",
        "note",
    ]


def test_csv_keeps_all_digits_and_leaves_gaps_empty() -> None:
    assert grid_csv(TABLE).splitlines() == ["metric,cs_en,mean", "a,0.12345,", "longer,0.5,1.0"]


def test_latex_is_bold_and_escaped() -> None:
    lines = grid_latex(TABLE).splitlines()
    assert r"metric & cs\_en & mean \\" in lines
    assert r"longer & \textbf{0.500} & 1.000 \\" in lines
    assert r"a & 0.123 & -- \\" in lines
    assert lines[-1] == "% note"
    assert r"\begin{tabular}{lrr}" in lines


def test_markdown_is_bold_and_keeps_the_notes() -> None:
    assert grid_markdown(TABLE).splitlines() == [
        "| metric | cs_en | mean |",
        "|---|--:|--:|",
        "| a | 0.123 | – |",
        "| longer | **0.500** | 1.000 |",
        "",
        "note",
    ]


def test_the_number_of_digits_can_be_chosen() -> None:
    table = NumberTable("x", ["y"], [("a", [2 / 3])], decimals=1)
    assert grid_text(table).splitlines()[-1] == "a  0.7"
