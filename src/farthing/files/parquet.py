"""Read Parquet files; whatever is wrong with one is a sentence, since damage shows in many kinds of errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from farthing.core.errors import InputError

if TYPE_CHECKING:
    import pyarrow.parquet

_ROWS = 4096  # rows that are in memory at a time


@contextmanager
def opened_parquet(file: str, shown: str | None = None) -> Iterator[pyarrow.parquet.ParquetFile]:
    """Open a Parquet file, and read from it inside.

    A damaged file may lie about its sizes, its types, its encodings or the names of its columns; pyarrow reports that
    by its own errors, by OSError, by errors of Unicode, or by the want of memory.

    :param shown: what messages call the file
    """
    import pyarrow
    import pyarrow.parquet

    try:
        with pyarrow.parquet.ParquetFile(file) as table:
            yield table
    except InputError:
        raise
    except (pyarrow.ArrowException, OSError, ValueError, TypeError, KeyError, OverflowError, MemoryError) as error:
        reason = next(iter(str(error).splitlines()), "") or type(error).__name__
        message = f"not a readable Parquet file: {reason}"
        raise InputError(message, path=shown or file, remedy="write it again") from error


def parquet_records(file: str, shown: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the numbered records of a Parquet file.

    :param shown: what messages call the file
    """
    number = 0
    with opened_parquet(file, shown) as table:
        batches = table.iter_batches(batch_size=_ROWS)
        while (batch := next(batches, None)) is not None:
            records = batch.to_pylist()
            for record in records:
                number += 1
                yield number, record
