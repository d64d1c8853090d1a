"""Single columns and cells: names that are found or missing, and values that are numbers or gaps."""

from __future__ import annotations

import math

import pytest

from farthing.core.errors import InputError
from farthing.meta.read.cells import SYSTEM, cell_at, find_column, has_cell, number_of

RECORD = {"Sys": "A", "model": "B", "scores": {"fluency": 3, "none": None}, "a.b": 1}


def test_a_column_is_the_named_one_or_the_first_of_the_usual_names() -> None:
    assert find_column("x", RECORD, "model", SYSTEM, "system") == "model"
    assert find_column("x", RECORD, None, SYSTEM, "system") == "Sys"  # whatever its case
    assert find_column("x", RECORD, None, ("item",), "segment") is None
    with pytest.raises(InputError, match=r"x: no column 'who' \(there are: Sys, .* name it with --system\)"):
        find_column("x", RECORD, "who", SYSTEM, "system")


def test_a_dot_reaches_into_an_object_unless_the_column_has_that_name() -> None:
    assert (cell_at(RECORD, "scores.fluency"), cell_at(RECORD, "a.b"), cell_at(RECORD, "scores.fame")) == (3, 1, None)
    assert cell_at(RECORD, "model.fluency") is None
    assert [has_cell(RECORD, name) for name in ("scores.none", "scores.fame", "a.b", "x")] == [True, False, True, False]


@pytest.mark.parametrize("value", [None, "", " NaN ", "None", "null", float("nan")])
def test_a_missing_score_is_nan(value: object) -> None:
    assert math.isnan(number_of(value, "x", 1, "score"))


def test_what_is_no_number_is_named_with_its_place() -> None:
    assert (number_of("2.5", "x", 1, "score"), number_of(True, "x", 1, "score")) == (2.5, 1)
    for value in ("good", [1], "inf"):
        with pytest.raises(InputError, match=r"x:7: .* in column 'score' is not a number"):
            number_of(value, "x", 7, "score")
