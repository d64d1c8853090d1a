"""Pairs from rows in memory."""

from __future__ import annotations

import pytest

from farthing.core.columns import Columns
from farthing.core.errors import InputError
from farthing.files.memory import pairs_of_records, systems_of_records

ROWS = [{"system": name, "mt": f"{name}{number}", "ref": f"r{number}"} for number in range(2) for name in "ab"]


def test_all_rows_are_one_system_or_one_each() -> None:
    assert pairs_of_records(ROWS, Columns(), "all").candidates == ["a0", "b0", "a1", "b1"]
    first, second = systems_of_records(ROWS, Columns())
    assert (first.system, first.candidates, second.candidates) == ("a", ["a0", "a1"], ["b0", "b1"])
    assert first.references == second.references
    assert [one.system for one in systems_of_records(ROWS, Columns(system="none"))] == ["system"]


def test_several_columns_are_several_systems() -> None:
    rows = [{"x": "a", "y": "b", "ref": "r"}]
    first, second = systems_of_records(rows, Columns(), ["x", "y"])
    assert (first.system, first.candidates, second.candidates) == ("x", ["a"], ["b"])


def test_no_rows_and_rows_of_other_kinds() -> None:
    with pytest.raises(InputError, match="there are no rows"):
        pairs_of_records([], Columns())
    with pytest.raises(InputError, match="a row is of type str"):
        pairs_of_records(["text"], Columns())  # type: ignore[list-item]
