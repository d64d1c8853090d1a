"""What a token metric remembers of one row, and the notes that the rows give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from farthing.core.types import Note

Remark: TypeAlias = Literal["idf", "dropped"]
REMARKS: Mapping[Remark, str] = {
    "idf": "no token has any idf weight; all tokens weigh the same there",
    "dropped": "all tokens are punctuation, parts of words or stop words; none was dropped there",
}


@dataclass(frozen=True, slots=True)
class RowScore:
    """The result of one row.

    :param parts: further values by name; every row of a metric has the same names
    :param remarks: which rules could not be applied to its texts
    """

    score: float
    parts: Mapping[str, float] = field(default_factory=dict)
    remarks: frozenset[Remark] = frozenset()


def remark_notes(rows: Sequence[frozenset[Remark]]) -> tuple[Note, ...]:
    """Turn the remarks on every row into one note per kind.

    >>> [str(note) for note in remark_notes([frozenset(), frozenset(["idf"])])]
    ['idf: no token has any idf weight; all tokens weigh the same there (row 2)']
    """
    found = {kind: tuple(number for number, row in enumerate(rows) if kind in row) for kind in REMARKS}
    return tuple(Note(kind, REMARKS[kind], numbers) for kind, numbers in found.items() if numbers)
