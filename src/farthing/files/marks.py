"""The marks of words in the shards of a run: one column per metric that explains, one entry per segment."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from farthing.core.explanation import NOT_LEARNED, Explanation

if TYPE_CHECKING:
    import pyarrow

MARKS = "marks"  #: the column is called `label:marks`


def marks_column(explanations: Iterable[Explanation]) -> pyarrow.Array:
    """Return a column with the errors, the omissions, the place of the reference that counted, and if it was learned.

    The texts, in which the marks count their characters, are in the other columns.
    """
    import pyarrow

    mark = pyarrow.struct({"start": pyarrow.int32(), "end": pyarrow.int32(), "probability": pyarrow.float64()})
    marks = pyarrow.list_(mark)
    kind = pyarrow.struct({"errors": marks, "omissions": marks, "counted": pyarrow.int32(), "learned": pyarrow.bool_()})
    return pyarrow.array(
        [
            {"errors": one.errors, "omissions": one.omissions, "counted": one.counted, "learned": one.learned}
            for one in explanations
        ],
        kind,
    )


def read_marks(rows: pyarrow.Table, label: str, normalised: Callable[[str], str]) -> list[Explanation]:
    """Read the marks of one metric.

    :param normalised: makes of a text what the metric read
    """
    names = ("candidate", "references", "source", f"{label}:{MARKS}")
    columns = [rows.column(name).to_pylist() for name in names]
    explanations = []
    for candidate, references, source, marks in zip(*columns, strict=True):
        counted = marks["counted"]
        other = source if counted is None else references[counted]
        notes = () if marks["learned"] else (NOT_LEARNED,)
        texts = normalised(candidate), normalised(other)
        explanations.append(Explanation(*texts, marks["errors"], marks["omissions"], counted, notes))
    return explanations
