"""Columns found by name, and cells turned into numbers."""

from __future__ import annotations

import math
from typing import Any

import pytest

from farthing.core.columns import SYSTEM
from farthing.core.errors import InputError
from farthing.meta.read.cells import SCORE, SEGMENT, cell_at, find_column, has_cell, no_column, number_of

RECORD: dict[str, object] = {"SID": 3, "System": "A", "score": 2, "z": None, "scores": {"fluency": 4, "gap": None}}


def test_usual_names_are_found_in_their_order_whatever_their_case() -> None:
    assert find_column("x", RECORD, None, SYSTEM, "system") == "System"
    assert find_column("x", RECORD, None, SEGMENT, "segment") == "SID"
    assert find_column("x", {"z": 1, "human": 2, "score": 3}, None, SCORE, "human") == "score"
    assert find_column("x", RECORD, None, ("lp", "lang"), "by") is None


def test_a_named_column_is_taken_as_it_is_spelt() -> None:
    assert find_column("x", RECORD, "z", SCORE, "human") == "z"
    with pytest.raises(InputError) as caught:
        find_column("x.jsonl", {"a": 1, "b": 2}, "A", SCORE, "human")
    assert str(caught.value) == "x.jsonl: no column 'A' (there are: a, b; name it with --human)"
    assert str(no_column("x.jsonl", {"a": 1, "b": 2}, "A", "human")) == str(caught.value)


@pytest.mark.parametrize(
    ("name", "value", "there"),
    [
        ("score", 2, True),
        ("z", None, True),
        ("scores.fluency", 4, True),
        ("scores.gap", None, True),
        ("scores.fame", None, False),
        ("score.fluency", None, False),  # a number has no columns
        ("fame", None, False),
    ],
)
def test_a_dot_reaches_into_an_object(name: str, value: object, there: bool) -> None:
    assert cell_at(RECORD, name) == value
    assert has_cell(RECORD, name) is there


def test_a_column_whose_own_name_has_a_dot_comes_first() -> None:
    record = {"scores.fluency": 1, "scores": {"fluency": 2, "a.b": 3}}
    assert cell_at(record, "scores.fluency") == 1
    assert cell_at(record, "scores.a.b") == 3


@pytest.mark.parametrize(
    ("value", "number"), [(3, 3.0), ("-2.5", -2.5), (" 1e3 ", 1000.0), (True, 1.0), (0, 0.0), ("0", 0.0)]
)
def test_numbers(value: object, number: float) -> None:
    assert number_of(value, "x", 1, "score") == number


@pytest.mark.parametrize("value", [None, "", "  ", "None", "NaN", "NA", "null", math.nan])
def test_missing_scores_are_nan(value: object) -> None:
    assert math.isnan(number_of(value, "x", 1, "score"))


@pytest.mark.parametrize("value", ["good", "4,5", "inf", -math.inf, [1], {"a": 1}, "1 2"])
def test_what_is_no_number_is_told_with_its_place(value: Any) -> None:
    with pytest.raises(InputError) as caught:
        number_of(value, "x.tsv", 7, "z")
    expected = f"x.tsv:7: {value!r} in column 'z' is not a number (leave a missing score empty)"
    assert str(caught.value) == expected
