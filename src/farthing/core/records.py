"""Results as plain Python values, which JSON can hold, and as columns of other libraries' tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypedDict

import numpy as np

from farthing.core.errors import UsageError

if TYPE_CHECKING:
    import pandas
    import pyarrow


ResultColumn: TypeAlias = "np.ndarray | Sequence[object]"  #: one value per row


class NoteRecord(TypedDict):
    """A note as plain Python values."""

    kind: str
    message: str
    rows: list[int]


class ScoresRecord(TypedDict):
    """Scores as plain Python values, which JSON can hold."""

    system: str
    metric: str
    signature: str
    corpus: float
    ci: list[float] | None
    segments: list[float] | None
    parts: dict[str, object]
    notes: list[NoteRecord]


def arrow_table(columns: Mapping[str, ResultColumn]) -> pyarrow.Table:
    """Return an Arrow table of columns."""
    import pyarrow

    return pyarrow.table(dict(columns))


def pandas_frame(columns: Mapping[str, ResultColumn]) -> pandas.DataFrame:
    """Return a pandas frame of columns."""
    try:
        import pandas
    except ImportError as error:
        raise UsageError("to_pandas() needs pandas: pip install pandas") from error
    return pandas.DataFrame(dict(columns))
