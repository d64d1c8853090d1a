"""Read lists of candidates: one list per segment.

A table (jsonl, parquet, tsv, csv) has a list of candidates in every row, or one candidate per row and a column of
segment ids. A text file has one candidate per line, and one of three ways to tell where a segment ends: blank lines, an
id in front (`id ||| text ||| …`, as Moses writes it), or a fixed number of candidates per segment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from farthing.core.columns import CANDIDATE, Columns, RowReader
from farthing.core.errors import InputError
from farthing.core.nbest import NBest
from farthing.files.lines import lines
from farthing.files.read import format_of, records

LISTS = ("candidates", "hypotheses", "nbest", "outputs", "predictions", "samples", "generations")
WEIGHTS = ("count", "counts", "weight", "weights")
_BAR = " ||| "


@dataclass(slots=True)
class _Gathering:
    """The rows of one segment while they are read."""

    references: Sequence[str] = ()
    source: str | None = None
    candidates: list[str] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)


def read_nbest(
    path: str,
    *,
    columns: Columns | None = None,
    size: int | None = None,
    segments: int | None = None,
    stdin_format: str = "txt",
) -> list[NBest]:
    """Read one list of candidates per segment.

    :param columns: the names of the columns in a table; usual names are guessed
    :param size: how many lines of a text file belong to a segment
    :param segments: how many segments there are, if this is known from other files
    """
    if format_of(path, stdin_format) == "txt":
        return _text_lists(path, size, segments)
    return _table_lists(path, columns or Columns(), stdin_format)


def _text_lists(path: str, size: int | None, segments: int | None) -> list[NBest]:
    texts = [text for _, text in lines(path)]
    if size is None:
        if _BAR in next((text for text in texts if text.strip()), ""):
            return _moses(path, texts)
        while not texts[-1].strip() and len(texts) > 1:
            texts.pop()
        if not all(text.strip() for text in texts):
            return list(_blocks(texts))
        size = len(texts) // segments if segments and len(texts) % segments == 0 else None
    if size is None or len(texts) % size:
        told = (
            f"{len(texts)} lines are not lists of {size}" if size else "nothing tells where a list of candidates ends"
        )
        raise InputError(
            told, path=path, remedy="pass --size N, put a blank line between the lists, or write: id ||| text"
        )
    return [NBest(texts[begin : begin + size]) for begin in range(0, len(texts), size)]


def _blocks(texts: Iterable[str]) -> Iterator[NBest]:
    block: list[str] = []
    for text in [*texts, ""]:
        if text.strip():
            block.append(text)
        elif block:
            yield NBest(block)
            block = []


def _moses(path: str, texts: Iterable[str]) -> list[NBest]:
    found: dict[str, list[str]] = {}
    for number, line in enumerate(texts, start=1):
        name, bar, rest = line.partition(_BAR)
        if not bar:
            raise InputError("expected: id ||| text", path=path, line=number, remedy="the lines before have this form")
        found.setdefault(name.strip(), []).append(f"{rest} ".partition(_BAR)[0].strip())
    return [NBest(candidates, id=name) for name, candidates in found.items()]


def _table_lists(path: str, columns: Columns, stdin_format: str) -> list[NBest]:
    reader: _TableReader | None = None
    found: dict[str, _Gathering] = {}
    named = False
    for number, record in records(path, stdin_format):
        reader = reader or _TableReader(path, columns, record)
        named = reader.rows.identity is not None
        for name, row in reader.read(number, record):
            kept = found.setdefault(name, _Gathering(row.references, row.source))
            kept.candidates += row.candidates
            kept.weights += row.weights
    if reader is None:
        raise InputError("the table has no rows", path=path, remedy="give a file with at least one row")
    return [
        NBest(one.candidates, one.references, one.source, one.weights or None, name if named else None)
        for name, one in found.items()
    ]


class _TableReader:
    """Reads the records of one table; the first one decides which columns are used."""

    def __init__(self, path: str, columns: Columns, first: Mapping[str, object]) -> None:
        lower = {name.lower(): name for name in first}
        usual = next((lower[name] for name in (*LISTS, *CANDIDATE) if name in lower), None)
        self.path, self.column = path, columns.candidate or usual
        self.weight = next((lower[name] for name in WEIGHTS if name in lower), None)
        self.rows = RowReader(path, replace(columns, candidate=self.column), first)
        self.lists = isinstance(first.get(self.column or ""), list)
        if not self.lists and self.rows.identity is None:
            raise InputError(
                "one candidate per row, but no column of segment ids",
                path=path,
                remedy="name it with --id, or write a list of candidates into every row",
            )

    def read(self, number: int, record: Mapping[str, object]) -> Iterator[tuple[str, _Gathering]]:
        """Yield the segment of a record, and its candidates."""
        column = str(self.column)
        texts, weights = record.get(column), record.get(self.weight or "")
        if not self.lists:
            texts, weights = [texts], [weights]
        if not isinstance(texts, list) or not texts:
            raise InputError(f"the field {column!r} must be a list of at least one text", path=self.path, line=number)
        row = [self.rows.row(number, {**record, column: text}) for text in texts]
        kept = _Gathering(row[0].references, row[0].source, [one.candidate for one in row])
        kept.weights = self._weights(number, weights, len(texts)) if self.weight else []
        name = row[0].identity
        yield str(number) if name is None else name, kept

    def _weights(self, number: int, weights: object, count: int) -> list[float]:
        try:
            found = [float(str(one)) for one in weights] if isinstance(weights, list) else []
        except ValueError:
            found = []
        if len(found) != count:
            raise InputError(
                f"the field {self.weight!r} must have one number per candidate", path=self.path, line=number
            )
        return found
