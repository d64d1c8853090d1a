"""Marks in a table: what was written is read again."""

from __future__ import annotations

import pyarrow

from farthing.core.explanation import NOT_LEARNED, Explanation
from farthing.files.marks import marks_column, read_marks

GIVEN = [
    Explanation("a cat", "dog", [{"start": 2, "end": 5, "probability": 1 / 3}], [], 1, (NOT_LEARNED,)),
    Explanation("", "the source", [], [{"start": 0, "end": 3, "probability": 0.5}], None),
]


def test_marks_come_back() -> None:
    columns = {
        "candidate": ["a cat", ""],
        "references": [["cat", "dog"], []],
        "source": [None, "the source"],
        "chrf:marks": marks_column(GIVEN),
    }
    assert read_marks(pyarrow.table(columns), "chrf", str) == GIVEN
    assert [one.candidate for one in read_marks(pyarrow.table(columns), "chrf", str.upper)] == ["A CAT", ""]


def test_no_rows_have_the_same_columns() -> None:
    assert marks_column([]).type == marks_column(GIVEN).type
