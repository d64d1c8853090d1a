"""Tables of numbers in three forms."""

from __future__ import annotations

from farthing.tables.grid import NumberTable, as_csv, as_latex, as_text
from farthing.tables.sheet import latex_escaped

TABLE = NumberTable(
    "metric", ["cs_en", "mean"], [("a", [0.12345, None]), ("longer", [0.5, 1.0])], frozenset({(1, 0)}), ["", "note"]
)


def test_text_lines_up_and_marks() -> None:
    assert as_text(TABLE).splitlines() == [
        "metric  cs_en   mean",
        "─────────────────────",
        "a       0.123   –",
        "longer  0.500*  1.000",
        "",
        "note",
    ]


def test_csv_keeps_all_digits_and_leaves_gaps_empty() -> None:
    assert as_csv(TABLE).splitlines() == ["metric,cs_en,mean", "a,0.12345,", "longer,0.5,1.0"]


def test_latex_is_bold_and_escaped() -> None:
    lines = as_latex(TABLE).splitlines()
    assert r"metric & cs\_en & mean \\" in lines
    assert r"longer & \textbf{0.500} & 1.000 \\" in lines
    assert r"a & 0.123 & -- \\" in lines
    assert lines[-1] == "% note"
    assert latex_escaped(r"a\{b}%") == r"a\textbackslash{}\{b\}\%"
