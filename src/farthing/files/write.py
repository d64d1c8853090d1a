"""Write files atomically: to a temporary file, which then replaces the old one, so that none is left half-written."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, TypeAlias

from farthing.core.errors import OutputError, UsageError

if TYPE_CHECKING:
    import numpy as np

TABLE_FORMATS = (".parquet", ".jsonl", ".csv", ".tsv")


@contextlib.contextmanager
def replacing(path: str | Path) -> Iterator[IO[bytes]]:
    """Yield a binary stream whose content becomes the file once all of it has been written.

    If anything fails, the file is left unchanged and the temporary file is removed.
    """
    target = Path(path)
    _check_target(target)
    temporary = None
    try:
        with unchanged_if_full(target):
            with tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as stream:
                temporary = Path(stream.name)
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            temporary.chmod(_mode(target))
            temporary.replace(target)
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def unchanged_if_full(target: Path) -> Iterator[None]:
    """Turn an error of the disk into a sentence that names the file that was to be written."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"{target}: cannot be written: {error.strerror or error}; nothing was changed") from error


def _check_target(target: Path) -> None:
    if target.is_dir():
        raise OutputError(f"{target}: is a directory; name a file")
    if not target.parent.is_dir():
        raise OutputError(f"{target}: the folder {target.parent} does not exist; make it first")
    if target.exists() and not os.access(target, os.W_OK):
        raise OutputError(f"{target}: exists and is not writable; choose another name or change its permissions")


def check_not_input(target: str | Path, inputs: Iterable[str]) -> None:
    """Raise an error if what is to be written is one of the inputs, by whatever name, or a folder that holds one."""
    path = Path(target)
    if not path.exists():
        return
    members = [path, *path.rglob("*")] if path.is_dir() else [path]
    written = {_inode(member) for member in members if member.exists()}
    for name in inputs:
        if name != "-" and Path(name).exists() and _inode(Path(name)) in written:
            held = "is" if path.is_file() else "holds"
            raise OutputError(f"{target}: {held} the input {name}, which is never overwritten; choose another name")


def _inode(path: Path) -> tuple[int, int]:
    """Identify a file by what it is, not by its name: links lead to the same one."""
    status = path.stat()
    return status.st_dev, status.st_ino


def _mode(target: Path) -> int:
    """Return the permissions of the file that is replaced, or those that a new file would get."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def write_text(path: str | Path, text: str) -> None:
    """Write a text file completely or not at all."""
    with replacing(path) as stream:
        stream.write(text.encode("utf-8"))


def check_table_path(path: str | Path) -> None:
    """Raise an error early, before any work is done, if :func:`write_table` would refuse the path."""
    if Path(path).suffix.lower() not in TABLE_FORMATS:
        raise UsageError(f"{path}: unknown kind of output (there are: {', '.join(TABLE_FORMATS)})")
    _check_target(Path(path))


TableColumns: TypeAlias = "Mapping[str, Sequence[object] | np.ndarray]"


def write_table(path: str | Path, columns: TableColumns) -> None:
    """Write columns of equal length as .parquet, .jsonl, .csv or .tsv, as the name of the file says."""
    write_chunks(path, [columns])


def write_chunks(path: str | Path, chunks: Iterable[TableColumns]) -> None:
    """Write a table of which a part is in memory at a time; every chunk has the same columns, and there is one."""
    check_table_path(path)
    write = {".parquet": _write_parquet, ".jsonl": _write_jsonl, ".tsv": _write_tsv, ".csv": _write_csv}
    with replacing(path) as stream:
        write[Path(path).suffix.lower()](stream, chunks)


def _write_parquet(stream: IO[bytes], chunks: Iterable[TableColumns]) -> None:
    import pyarrow
    import pyarrow.parquet

    writer = None
    for columns in chunks:
        table = pyarrow.table(dict(columns))
        writer = writer or pyarrow.parquet.ParquetWriter(stream, table.schema)
        writer.write_table(table)
    if writer is not None:
        writer.close()


def _write_jsonl(stream: IO[bytes], chunks: Iterable[TableColumns]) -> None:
    for columns in chunks:
        for row in zip(*columns.values(), strict=True):
            record = dict(zip(columns, map(_plain, row), strict=True))
            stream.write((json.dumps(record, ensure_ascii=False) + "\n").encode("utf-8"))


def _write_tsv(stream: IO[bytes], chunks: Iterable[TableColumns]) -> None:
    for number, columns in enumerate(chunks):
        for line in [*([] if number else [tuple(columns)]), *zip(*columns.values(), strict=True)]:
            stream.write(("\t".join(map(_cell, line)) + "\n").encode("utf-8"))


def _cell(value: object) -> str:
    """Return a cell of a .tsv file, which has no quoting: tabs and line ends become spaces."""
    value = _plain(value)
    return "" if value is None else str(value).translate({9: " ", 10: " ", 13: " "})


def _write_csv(stream: IO[bytes], chunks: Iterable[TableColumns]) -> None:
    import io

    text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
    writer = csv.writer(text, lineterminator="\n")
    for number, columns in enumerate(chunks):
        if not number:
            writer.writerow(columns)
        writer.writerows([_plain(value) for value in row] for row in zip(*columns.values(), strict=True))
    text.detach()


def _plain(value: object) -> object:
    """Return the Python value of a numpy scalar; any other value unchanged."""
    return value.item() if hasattr(value, "item") else value
