"""Read the records of a file one at a time, never a whole file at once.

A text file has one record per line, under the column name "text". Tables (tsv, csv, jsonl, parquet) have one record
per row. All formats but parquet may be gzipped. `-` is standard input.
"""

from __future__ import annotations

import csv
import gzip
import json
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, cast

from farthing.core.columns import TEXT
from farthing.core.errors import InputError, UsageError

FORMATS = ("txt", "tsv", "csv", "jsonl", "parquet")
_SUFFIXES = {".tsv": "tsv", ".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}
_BOM = b"\xef\xbb\xbf"
_JSONL = "write one object per line"

Record = tuple[int, dict[str, Any]]  # the line (or row) number from 1, and the values by column, of any type


def format_of(path: str, stdin_format: str = "txt") -> str:
    """Tell the format from the name of a file; whatever is not a table is text.

    >>> format_of("a.tsv.gz"), format_of("b.de")
    ('tsv', 'txt')
    """
    if path == "-":
        return stdin_format
    name = path.removesuffix(".gz")
    return _SUFFIXES.get(Path(name).suffix.lower(), "txt")


def records(path: str, stdin_format: str = "txt") -> Iterator[Record]:
    """Yield the records of a file with their line numbers."""
    kind = format_of(path, stdin_format)
    if kind not in FORMATS:
        raise UsageError(f"unknown format {kind!r} (there are: {', '.join(FORMATS)})")
    if kind == "parquet":
        return _parquet(path)
    readers = {"txt": _text, "tsv": _tsv, "csv": _csv, "jsonl": _jsonl}
    return readers[kind](path)


def lines(path: str) -> Iterator[tuple[int, str]]:
    """Yield numbered lines, decoded as UTF-8, without line ends (LF or CRLF) and without a byte-order mark."""
    try:
        with _opened(path) as stream:
            for number, raw in enumerate(stream, start=1):
                if number == 1:
                    raw = raw.removeprefix(_BOM)
                yield number, _decoded(path, number, raw.removesuffix(b"\n").removesuffix(b"\r"))
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"broken gzip data: {error}", path=path, remedy="compress it again") from error


def _decoded(path: str, number: int, raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = raw[error.start]
        raise InputError(
            f"not UTF-8: byte 0x{byte:02x} at position {error.start + 1} of the line",
            path=path,
            line=number,
            remedy="convert the file to UTF-8, for example with iconv",
        ) from error


def _opened(path: str) -> IO[bytes]:
    if path == "-":
        return Path(_spooled_stdin()).open("rb")
    check_file(path)
    if path.endswith(".gz"):
        return cast(IO[bytes], gzip.open(path, "rb"))
    return Path(path).open("rb")


def check_file(path: str) -> None:
    """Raise an error if there is no file with content to read."""
    place = Path(path)
    if place.is_dir():
        raise InputError("is a directory", path=path, remedy="name a file")
    if not place.exists():
        raise InputError("no such file", path=path, remedy="check the name")
    try:
        with place.open("rb") as stream:
            if not stream.read(1):
                raise InputError("the file is empty", path=path, remedy="give a file with at least one line")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from error


@lru_cache(maxsize=1)
def _spooled_stdin() -> str:
    """Copy standard input to a file, because some metrics read the corpus twice."""
    spool = tempfile.NamedTemporaryFile(prefix="farthing-", suffix=".stdin")  # noqa: SIM115  lives as long as the process
    shutil.copyfileobj(sys.stdin.buffer, spool)
    spool.flush()
    if not Path(spool.name).stat().st_size:
        raise InputError("standard input is empty", path="-", remedy="pipe at least one line into it")
    _SPOOLS.append(spool)
    return spool.name


_SPOOLS: list[IO[bytes]] = []  # keeps the temporary file alive


def _text(path: str) -> Iterator[Record]:
    return ((number, {TEXT: line}) for number, line in lines(path))


def _tsv(path: str) -> Iterator[Record]:
    """Read tab-separated values with a header line and without quoting, as is usual in machine translation."""
    header: list[str] = []
    for number, line in lines(path):
        cells = line.split("\t")
        if not header:
            header = _checked_header(path, cells)
        else:
            yield number, _row(path, number, header, cells)


def _csv(path: str) -> Iterator[Record]:
    """Read comma-separated values with a header line and the usual quoting; a cell may contain line breaks."""
    reader = csv.reader((line + "\n" for _, line in lines(path)), strict=True)
    header: list[str] = []
    try:
        for cells in reader:
            if not header:
                header = _checked_header(path, cells)
            elif cells:
                yield reader.line_num, _row(path, reader.line_num, header, cells)
    except csv.Error as error:
        raise InputError(f"broken CSV: {error}", path=path, line=reader.line_num, remedy="check its quotes") from error


def _checked_header(path: str, cells: list[str]) -> list[str]:
    twice = sorted({name for name in cells if cells.count(name) > 1})
    if twice:
        raise InputError(f"the column {twice[0]!r} occurs twice in the header", path=path, line=1)
    return cells


def _row(path: str, number: int, header: list[str], cells: list[str]) -> dict[str, str]:
    if len(cells) != len(header):
        raise InputError(
            f"{len(cells)} columns, but the header has {len(header)}",
            path=path,
            line=number,
            remedy="check the separators of this line",
        )
    return dict(zip(header, cells, strict=True))


def _jsonl(path: str) -> Iterator[Record]:
    for number, line in lines(path):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            raise InputError(f"broken JSON: {error}", path=path, line=number, remedy=_JSONL) from error
        if not isinstance(record, dict):
            kind = type(record).__name__
            raise InputError(f"expected a JSON object, found {kind}", path=path, line=number, remedy=_JSONL)
        yield number, record


def _parquet(path: str) -> Iterator[Record]:
    import pyarrow
    import pyarrow.parquet

    source = _spooled_stdin() if path == "-" else path
    if path != "-":
        check_file(path)
    try:
        number = 0
        with pyarrow.parquet.ParquetFile(source) as table:
            for batch in table.iter_batches(batch_size=4096):
                for record in batch.to_pylist():
                    number += 1
                    yield number, record
    except pyarrow.ArrowException as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"not a readable Parquet file: {reason}", path=path, remedy="write it again") from error
