"""Read the records of a file one at a time, never a whole file at once.

A text file has one record per line, under the column name "text". Tables (tsv, csv, jsonl, json, parquet) have one
record per row; a json document alone is read as a whole. All formats but parquet may be compressed by gzip, bzip2, xz
or zstd. `-` is standard input.
"""

from __future__ import annotations

import csv
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import IO, Any

from farthing.core.columns import TEXT, Columns, InputRow, RowReader
from farthing.core.errors import InputError, UsageError

FORMATS = ("txt", "tsv", "csv", "jsonl", "json", "parquet")
SUFFIXES = {
    **{f".{name}": name for name in FORMATS},
    ".ndjson": "jsonl", ".jsonlines": "jsonl", ".jl": "jsonl", ".tab": "tsv", ".pq": "parquet",
}  # fmt: skip
PACKED = (".gz", ".bz2", ".xz", ".zst")
# How a file begins that is compressed, a spreadsheet, or in UTF-16 (with a byte-order mark or without).
_UNUSUAL = re.compile(
    rb"\x1f\x8b|BZh\d1AY&SY|\xfd7zXZ\0|\x28\xb5\x2f\xfd|PK\x03\x04|\xff\xfe|\xfe\xff|([^\0]\0){4}|(\0[^\0]){4}"
)
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
    name = Path(path.lower())
    return SUFFIXES.get(name.with_suffix("").suffix if name.suffix in PACKED else name.suffix, "txt")


def records(path: str, stdin_format: str = "txt") -> Iterator[Record]:
    """Yield the records of a file with their line numbers."""
    kind = format_of(path, stdin_format)
    if kind not in FORMATS:
        raise UsageError(f"unknown format {kind!r} (there are: {', '.join(FORMATS)})")
    if kind == "parquet":
        return _parquet(path)
    readers = {"txt": _text, "tsv": _tsv, "csv": _csv, "jsonl": _jsonl, "json": _json}
    return readers[kind](path)


def table_rows(path: str, columns: Columns, wanted: str = "candidate", stdin_format: str = "txt") -> Iterator[InputRow]:
    """Yield the rows of a file."""
    reader: RowReader | None = None
    for number, record in records(path, stdin_format):
        reader = reader or RowReader(path, columns, record, wanted)
        yield reader.row(number, record)
    if reader is None:
        raise InputError("the table has no rows", path=path, remedy="give a file with at least one row")


def lines(path: str) -> Iterator[tuple[int, str]]:
    """Yield numbered lines, decoded as UTF-8, without line ends (LF or CRLF) and without a byte-order mark."""
    with _opened(path) as stream:
        for number, raw in enumerate(stream, start=1):
            if number == 1:
                raw = raw.removeprefix(_BOM)
            yield number, _decoded(path, number, raw.removesuffix(b"\n").removesuffix(b"\r"))


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


def _opened(path: str) -> AbstractContextManager[Iterable[bytes]]:
    file = _spooled_stdin() if path == "-" else path
    head = check_file(file)
    if not _UNUSUAL.match(head) and not path.lower().endswith(PACKED):
        return Path(file).open("rb")
    from farthing.files.packed import unpacked

    return unpacked(file, path, head)


def check_file(path: str) -> bytes:
    """Return the first bytes of a file; raise an error if there is no file with content to read."""
    place = Path(path)
    if place.is_dir():
        raise InputError("is a directory", path=path, remedy="name a file")
    if not place.exists():
        raise InputError("no such file", path=path, remedy="check the name")
    try:
        with place.open("rb") as stream:
            head = stream.read(16)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from error
    if not head:
        raise InputError("the file is empty", path=path, remedy="give a file with at least one line")
    return head


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
    """Read separated values with a header line and the usual quoting; a cell may contain line breaks."""
    csv.field_size_limit(2**31 - 1)  # a cell may hold a whole document
    rows = (line + "\n" for _, line in lines(path))
    first = next(rows, "")
    reader = csv.reader(chain([first], rows), delimiter=_separator(first), strict=True)
    header: list[str] = []
    try:
        for cells in reader:
            if not header:
                header = _checked_header(path, cells)
            elif cells:
                yield reader.line_num, _row(path, reader.line_num, header, cells)
    except csv.Error as error:
        raise InputError(f"broken CSV: {error}", path=path, line=reader.line_num, remedy="check its quotes") from error


def _separator(header: str) -> str:
    """Return the mark that cuts the header into most cells; a comma if there is no better one.

    >>> _separator('mt;"one, two";ref')
    ';'
    """
    return max(",;\t|", key=lambda mark: len(next(csv.reader([header], delimiter=mark), [])))


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


def _json(path: str) -> Iterator[Record]:
    """Read a JSON document; several objects, one per line, are often called .json, too."""
    from farthing.files.json_table import is_json_lines, json_rows

    content = [line for _, line in lines(path)]
    try:
        document = json.loads("\n".join(content))
    except (ValueError, RecursionError) as error:
        if is_json_lines(content):
            return _jsonl(path)
        line = getattr(error, "lineno", None)
        raise InputError(f"broken JSON: {error}", path=path, line=line, remedy="write it again") from error
    return enumerate(json_rows(document, path, TEXT), start=1)


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
