"""Columns of texts for a terminal."""

from __future__ import annotations

from farthing.tables.aligned import aligned


def test_the_first_column_is_flush_left_the_others_right() -> None:
    rows = [{"student": "tiny", "r": ".9", "size": "1234"}, {"student": "something longer", "r": "–", "size": ""}]
    assert aligned(rows).splitlines() == [
        "student            r  size",
        "tiny              .9  1234",
        "something longer   –",
    ]


def test_a_column_is_as_wide_as_its_name() -> None:
    assert aligned([{"a": "x", "much wider": "1"}]) == "a  much wider\nx           1"
