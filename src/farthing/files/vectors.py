"""Read vectors from .npy and Parquet files, one row per sample. Nothing is unpickled."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from farthing.core.arrays import Vectors
from farthing.core.columns import CANDIDATE, REFERENCE
from farthing.core.errors import InputError
from farthing.files.lines import check_file
from farthing.files.parquet import opened_parquet

if TYPE_CHECKING:
    import pyarrow

_WRITE = "np.save writes such a file"


def holds_vectors(path: str, column: str | None = None) -> bool:
    """Tell whether a file holds vectors: a .npy file, or a Parquet file with columns of numbers instead of texts."""
    suffix = Path(path).suffix.lower()
    if suffix == ".npy":
        return True
    return suffix == ".parquet" and bool(_number_columns(path, column))


def read_vectors(path: str, column: str | None = None) -> Vectors:
    """Read the vectors of a file.

    :param column: the column of lists of numbers in Parquet; by default the only one, or else all columns of numbers
    """
    check_file(path)
    return _read_npy(path) if Path(path).suffix.lower() == ".npy" else _read_parquet(path, column)


def _read_npy(path: str) -> Vectors:
    try:
        content = np.load(path, allow_pickle=False)
    except Exception as error:  # numpy parses the header as Python: damage may show as any error of its parser
        reason = next(iter(str(error).splitlines()), "") or type(error).__name__
        raise InputError(f"not a readable .npy file of numbers: {reason}", path=path, remedy=_WRITE) from error
    if not isinstance(content, np.ndarray):
        raise InputError("holds several arrays", path=path, remedy="save one array as .npy")
    return _checked(path, content)


def _checked(path: str, array: np.ndarray) -> Vectors:
    if array.dtype.kind not in "fiub":
        raise InputError(f"holds {array.dtype}, not numbers", path=path, remedy=_WRITE)
    if array.ndim != 2:
        shape = " x ".join(map(str, array.shape)) or "a single number"
        raise InputError(f"its shape is {shape}", path=path, remedy="give a matrix with one row per sample")
    return array


def _number_columns(path: str, column: str | None) -> list[str]:
    """Return the named column, or else the only column of lists of numbers, or else all columns if all are numbers.

    A table with a column of texts under a usual name holds texts, whatever its other columns are: no column then.
    """
    import pyarrow.types as kinds

    def is_number(kind: pyarrow.DataType) -> bool:
        return bool(kinds.is_floating(kind) or kinds.is_integer(kind))

    def is_list(kind: pyarrow.DataType) -> bool:
        lists = kinds.is_list(kind) or kinds.is_large_list(kind) or kinds.is_fixed_size_list(kind)
        return lists and is_number(kind.value_type)

    check_file(path)
    with opened_parquet(path) as table:
        fields = {field.name: field.type for field in table.schema_arrow}
    if column is not None:
        return [column] if column in fields and is_list(fields[column]) else []
    usual = [kind for name, kind in fields.items() if name.lower() in (*CANDIDATE, *REFERENCE)]
    if any(not is_list(kind) and not is_number(kind) for kind in usual):
        return []
    lists = [name for name, kind in fields.items() if is_list(kind)]
    if len(lists) == 1:
        return lists
    return list(fields) if fields and all(map(is_number, fields.values())) else []


def _read_parquet(path: str, column: str | None) -> Vectors:
    names = _number_columns(path, column)
    with opened_parquet(path) as table:
        columns = [table.read(columns=[name]).column(0) for name in names]
    if len(columns) == 1 and hasattr(columns[0].type, "value_type"):
        return _matrix(path, columns[0].combine_chunks())
    return np.column_stack([each.to_numpy() for each in columns])


def _matrix(path: str, lists: pyarrow.Array) -> Vectors:
    """Convert a column of lists to a matrix; every list must have the same length."""
    import pyarrow.compute as compute

    lengths = compute.list_value_length(lists).to_numpy(zero_copy_only=False)
    broken = np.flatnonzero(~(lengths == lengths[0]))  # a missing list has a length of NaN
    if len(broken) or lists.null_count:
        row = int(broken[0]) + 1 if len(broken) else 1
        raise InputError("the list in this row is missing or has another length", path=path, line=row)
    flat = lists.flatten().to_numpy(zero_copy_only=False)
    matrix: Vectors = flat.reshape(len(lengths), int(lengths[0]))
    return matrix
