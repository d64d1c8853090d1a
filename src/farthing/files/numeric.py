"""Columns of numbers in Arrow tables as numpy arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pyarrow


def column_array(column: pyarrow.ChunkedArray) -> np.ndarray:
    """Return a column of numbers, or of lists of equally many numbers, with one row per entry."""
    whole = column.combine_chunks()
    if hasattr(whole.type, "list_size"):
        return _numbers(whole.flatten()).reshape(len(whole), whole.type.list_size)
    return _numbers(whole)


def _numbers(column: pyarrow.Array) -> np.ndarray:
    """The values of a column of floats; its buffer is read directly, since pyarrow's way imports pandas."""
    import pyarrow

    if column.null_count or column.type != pyarrow.float64():
        return np.asarray(column.to_numpy(zero_copy_only=False))
    values = np.frombuffer(column.buffers()[1], dtype=np.float64)
    return values[column.offset : column.offset + len(column)]
