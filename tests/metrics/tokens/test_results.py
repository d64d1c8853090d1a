"""Remarks on rows become notes."""

from __future__ import annotations

from farthing.metrics.tokens.results import REMARKS, RowScore, remark_notes


def test_one_note_per_kind_with_its_rows() -> None:
    rows = [frozenset(["dropped"]), frozenset(), frozenset(["idf", "dropped"])]
    notes = remark_notes(rows)  # type: ignore[arg-type]
    assert [(note.kind, note.rows) for note in notes] == [("idf", (2,)), ("dropped", (0, 2))]
    assert [note.message for note in notes] == list(REMARKS.values())
    assert remark_notes([frozenset()]) == ()


def test_a_score_alone_is_a_result() -> None:
    assert RowScore(0.5) == RowScore(0.5, {}, frozenset())
