"""Read the records of a file one at a time, never a whole file at once.

A text file has one record per line, under the column name "text". Tables (tsv, csv, jsonl, json, parquet) have one
record per row; a json document alone is read as a whole. All formats but parquet may be compressed by gzip, bzip2, xz
or zstd. `-` is standard input.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from farthing.core.columns import TEXT, Columns, InputRow, RowReader
from farthing.core.errors import InputError, UsageError
from farthing.files.lines import PACKED, check_file, lines, spooled_stdin
from farthing.files.rejects import SKIPPING, BrokenLine, BrokenRecord, broken

FORMATS = ("txt", "tsv", "csv", "jsonl", "json", "parquet")
SUFFIXES = {
    **{f".{name}": name for name in FORMATS},
    ".ndjson": "jsonl", ".jsonlines": "jsonl", ".jl": "jsonl", ".tab": "tsv", ".pq": "parquet",
}  # fmt: skip
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
        if isinstance(record, BrokenRecord):
            yield InputRow("", (), None, None, broken=record.reject)
            continue
        reader = reader or RowReader(path, columns, record, wanted)
        yield _read_row(reader, number, record)
    if reader is None:
        raise InputError("the table has no rows", path=path, remedy="give a file with at least one row")


def text_rows(path: str, wanted: str) -> Iterator[InputRow]:
    """Yield the lines of a text file, which has no columns."""
    for _, line in lines(path):
        reject = line.reject if isinstance(line, BrokenLine) else None
        candidate, references = (line, ()) if wanted == "candidate" else ("", (line,))
        yield InputRow(candidate, references, None, None, broken=reject)


def _read_row(reader: RowReader, number: int, record: dict[str, Any]) -> InputRow:
    try:
        return reader.row(number, record)
    except InputError as error:
        if SKIPPING.get() is None:
            raise
        reason = str(error).removeprefix(f"{reader.path}:{number}: ")
        reject = broken(reader.path, number, reason, content=dict(record)).reject
        return InputRow("", (), None, None, broken=reject)


def _text(path: str) -> Iterator[Record]:
    for number, line in lines(path):
        yield number, BrokenRecord(line.reject) if isinstance(line, BrokenLine) else {TEXT: line}


def _tsv(path: str) -> Iterator[Record]:
    """Read tab-separated values with a header line and without quoting, as is usual in machine translation."""
    header: list[str] = []
    for number, line in lines(path):
        if isinstance(line, BrokenLine):
            yield number, BrokenRecord(line.reject)
            continue
        cells = line.split("\t")
        if not header:
            header = _checked_header(path, cells)
        else:
            yield number, _row(path, number, header, cells)


def _csv(path: str) -> Iterator[Record]:
    """Read separated values with a header line and the usual quoting; a cell may contain line breaks."""
    csv.field_size_limit(2**31 - 1)  # a cell may hold a whole document
    unread: list[Record] = []
    rows = _csv_lines(path, unread)
    first = next(rows, "")
    reader = csv.reader(chain([first], rows), delimiter=_separator(first), strict=True)
    header: list[str] = []
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            problem = f"broken CSV: {error}"
            if not header:  # without one, no row can be read
                raise InputError(problem, path=path, line=reader.line_num, remedy="check its header") from error
            yield reader.line_num, broken(path, reader.line_num, problem, remedy="check its quotes")
            continue
        yield from unread
        unread.clear()
        if cells is None:
            return
        if not header:
            header = _checked_header(path, cells)
        elif cells:
            yield reader.line_num, _row(path, reader.line_num, header, cells)


def _csv_lines(path: str, unread: list[Record]) -> Iterator[str]:
    """Yield the lines for the parser; those that it cannot read are put aside."""
    for number, line in lines(path):
        if isinstance(line, BrokenLine):
            unread.append((number, BrokenRecord(line.reject)))
        else:
            yield line + "\n"


def _separator(header: str) -> str:
    """Return the mark that cuts the header into most cells; a comma if there is no better one.

    >>> _separator('mt;"one, two";ref')
    ';'
    """
    return max(",;\t|", key=lambda mark: _cells(header, mark))


def _cells(header: str, mark: str) -> int:
    try:
        return len(next(csv.reader([header], delimiter=mark), []))
    except csv.Error:  # reported when the header is read
        return 0


def _checked_header(path: str, cells: list[str]) -> list[str]:
    twice = sorted({name for name in cells if cells.count(name) > 1})
    if twice:
        raise InputError(f"the column {twice[0]!r} occurs twice in the header", path=path, line=1)
    return cells


def _row(path: str, number: int, header: list[str], cells: list[str]) -> dict[str, Any]:
    if len(cells) != len(header):
        problem = f"{len(cells)} columns, but the header has {len(header)}"
        return broken(path, number, problem, remedy="check the separators of this line", content=cells)
    return dict(zip(header, cells, strict=True))


def _jsonl(path: str) -> Iterator[Record]:
    for number, line in lines(path):
        if isinstance(line, BrokenLine):
            yield number, BrokenRecord(line.reject)
        elif line.strip():
            yield number, _json_object(path, number, line)


def _json_object(path: str, number: int, line: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else error
        return broken(path, number, f"broken JSON: {reason}", remedy=_JSONL, content=line)
    if isinstance(record, dict):
        return record
    kind = type(record).__name__
    return broken(path, number, f"expected a JSON object, found {kind}", remedy=_JSONL, content=line)


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
        reason = "nested too deeply" if isinstance(error, RecursionError) else error
        raise InputError(f"broken JSON: {reason}", path=path, line=line, remedy="write it again") from error
    return enumerate(json_rows(document, path, TEXT), start=1)


def _parquet(path: str) -> Iterator[Record]:
    from farthing.files.parquet import parquet_records

    if path != "-":
        check_file(path)
    return parquet_records(spooled_stdin() if path == "-" else path, path)
