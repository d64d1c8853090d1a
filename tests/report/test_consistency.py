"""The consistency of a judge in print."""

from __future__ import annotations

from farthing.judge.preference import PositionBias
from farthing.meta.consistency import JudgeConsistency
from farthing.report.consistency import consistency_document, consistency_table
from farthing.tables.grid import grid_text


def test_a_table_has_a_row_per_question() -> None:
    found = JudgeConsistency(10, 3, 0.9, 2.5, 0.4, 0.6, 0.1, PositionBias(0.55, 0.8, 10))
    text = grid_text(consistency_table(found))
    assert "first of two outputs preferred (0.5: no bias)  0.550" in text
    assert "10 rows, each asked 3 times." in text
    assert consistency_document(found, "x")["position"] == {"first": 0.55, "consistent": 0.8, "pairs": 10}
