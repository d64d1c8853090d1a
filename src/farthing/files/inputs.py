"""The input of a run: systems, references and sources, from memory or from files of any formats."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Protocol

from farthing.core.columns import MEMORY, Columns, InputRow, RowReader
from farthing.core.digest import digest_stream
from farthing.core.errors import InputError, UsageError
from farthing.core.types import Pairs, Sets
from farthing.files.read import format_of, lines, records

STRETCH = 4096  # how many rows are in memory at a time


class Source(Protocol):
    """Where the texts of a run come from."""

    names: list[str]  #: the names of the systems

    def stretches(self, size: int = STRETCH) -> Iterator[list[Pairs]]:
        """Yield the pairs of all systems, `size` rows at a time; every call starts at the first row."""
        ...

    def sets(self) -> list[Sets]:
        """Return one set per system, for metrics of whole sets."""
        ...

    def vectors(self) -> str | None:
        """Return the name of an input that holds vectors, for metrics of whole sets only; None if all are texts."""
        ...


class Given:
    """Pairs or sets in memory.

    :param systems: one `Pairs` per system, all with the same number of rows
    """

    def __init__(self, systems: Sequence[Pairs] = (), sets: Sequence[Sets] = ()) -> None:
        self.systems, self._sets = list(systems), list(sets)
        self.names = [one.system for one in (self.systems or self._sets)]
        if len({len(pairs) for pairs in self.systems}) > 1:
            counts = ", ".join(f"{pairs.system} has {len(pairs)}" for pairs in self.systems)
            raise UsageError(f"the systems have different numbers of outputs: {counts}")

    def stretches(self, size: int = 2**62) -> Iterator[list[Pairs]]:
        """Yield the pairs of all systems, `size` rows at a time; by default all rows at once."""
        count = len(self.systems[0]) if self.systems else 0
        for start in range(0, max(count, 1), size):
            yield [pairs.part(start, start + size) for pairs in self.systems]

    def sets(self) -> list[Sets]:
        """Return one set per system."""
        return self._sets

    def vectors(self) -> str | None:
        """Return None: pairs hold texts."""
        return None


def fingerprint(source: Source) -> str:
    """Identify all texts of a run in their order, the names of the systems included."""
    return digest_stream(_described(pairs) for systems in source.stretches(STRETCH) for pairs in systems)


def _described(pairs: Pairs) -> str:
    sources = None if pairs.sources is None else list(pairs.sources)
    columns = [pairs.system, list(pairs.candidates), [list(row) for row in pairs.references], sources]
    return json.dumps(columns, ensure_ascii=True)


class Inputs:
    """The outputs of systems with their references and sources, read from files, if needed more than once.

    :param systems: one file per system; a table may hold references and sources, too
    :param references: files of references
    :param source: a file of sources
    :param columns: the names of the columns in tables
    :param names: the names of the systems, by default those of the files
    :param stdin_format: the format of standard input, which is the file "-"
    :param documents: a file with the id of each row's document, one per line
    """

    def __init__(
        self,
        systems: Sequence[str],
        references: Sequence[str] = (),
        source: str | None = None,
        columns: Columns | None = None,
        names: Sequence[str] | None = None,
        stdin_format: str = "txt",
        documents: str | None = None,
    ) -> None:
        self.systems, self.references, self.source = list(systems), list(references), source
        self.columns = columns or Columns()
        self.names = list(names or systems)
        self.stdin_format, self.documents = stdin_format, documents
        self._check_names()

    @classmethod
    def named(
        cls,
        systems: Sequence[str],
        references: Sequence[str] | None = None,
        source_file: str | None = None,
        candidate: str | None = None,
        reference: str | None = None,
        source: str | None = None,
        names: str | None = None,
        stdin_format: str = "txt",
        documents: str | None = None,
    ) -> Inputs:
        """Return the input that the options of a command describe; `reference` and `names` are lists with commas.

        :param documents: a file or a column of document ids; "none" if a column only looks like one
        """
        file = documents if documents and Path(documents).is_file() else None
        columns = Columns(candidate, tuple(split(reference)), source, document=None if file else documents)
        return cls(systems, references or (), source_file, columns, split(names) or None, stdin_format, file)

    def _check_names(self) -> None:
        if len(self.names) != len(self.systems):
            raise UsageError(f"{len(self.systems)} systems but {len(self.names)} names: give one name per system")
        twice = [name for name, count in Counter(self.names).items() if count > 1]
        if twice:
            raise UsageError(f"two systems are called {twice[0]!r}: give them different names with --names")
        if self._paths().count("-") > 1:
            raise UsageError("standard input (-) can be used for one file only")

    def _paths(self) -> list[str]:
        return [*self.systems, *self.references, *(path for path in (self.source, self.documents) if path)]

    def stretches(self, size: int = STRETCH) -> Iterator[list[Pairs]]:
        """Yield the pairs of all systems, `size` rows at a time, so that memory does not grow with the files."""
        rows = self._rows()
        while block := list(islice(rows, size)):
            yield [self._pairs(block, index) for index in range(len(self.systems))]

    def pairs(self) -> list[Pairs]:
        """Read all rows at once: one `Pairs` per system."""
        [whole] = self.stretches(size=2**62)
        return whole

    def sets(self) -> list[Sets]:
        """Read one set per system; the references are the corpus."""
        from farthing.files.sets import read_sets

        return read_sets(self.systems, self.references, self.names, self.columns, self.stdin_format)

    def vectors(self) -> str | None:
        """Return the first file that holds vectors, None if there is none."""
        files = [path for path in [*self.systems, *self.references] if path.lower().endswith((".npy", ".parquet"))]
        if not files:
            return None
        from farthing.files.sets import any_vectors

        return any_vectors(files, self.columns)

    def _pairs(self, block: list[tuple[InputRow, ...]], index: int) -> Pairs:
        return _pairs_of_rows([entry[index] for entry in block], self.names[index])

    def _rows(self) -> Iterator[tuple[InputRow, ...]]:
        """Yield the rows of all systems, completed with the references and sources of other files."""
        files = [
            *(self._file(path, "candidate") for path in self.systems),
            *(self._file(path, "reference") for path in self.references),
            *([self._file(self.source, "source")] if self.source else []),
            *([_text_rows(self.documents, "candidate")] if self.documents else []),
        ]
        count = len(self.systems)
        for entry in self._in_step(files):
            systems, others = entry[:count], entry[count:]
            source = others[len(self.references)].source if self.source else None
            document = others[-1].candidate if self.documents else None
            given = tuple(chain.from_iterable(row.references for row in others[: len(self.references)]))
            yield tuple(_completed(row, given, source, document) for row in systems)

    def _file(self, path: str, wanted: str) -> Iterator[InputRow]:
        if wanted != "source" and format_of(path, self.stdin_format) == "txt" and self.columns == Columns():
            yield from _text_rows(path, wanted)
            return
        reader: RowReader | None = None
        for number, record in records(path, self.stdin_format):
            reader = reader or RowReader(path, self.columns, record, wanted)
            yield reader.row(number, record)
        if reader is None:
            raise InputError("the table has no rows", path=path, remedy="give a file with at least one row")

    def _in_step(self, files: list[Iterator[InputRow]]) -> Iterator[tuple[InputRow, ...]]:
        """Zip the rows of files; the error for files of different lengths names both and their line counts."""
        read = 0
        while True:
            entry = [next(file, None) for file in files]
            rows = [row for row in entry if row is not None]
            if not rows:
                return
            if len(rows) < len(files):
                raise self._lengths_differ(files, entry, read)
            read += 1
            yield tuple(rows)

    def _lengths_differ(self, files: list[Iterator[InputRow]], entry: list[InputRow | None], read: int) -> UsageError:
        paths = self._paths()
        counts = [
            read if row is None else read + 1 + sum(1 for _ in file) for file, row in zip(files, entry, strict=True)
        ]
        other = next(i for i, count in enumerate(counts) if count != counts[0])
        return UsageError(
            f"line counts differ: {paths[0]} has {counts[0]}, {paths[other]} has {counts[other]} "
            "(every file needs one line per segment)"
        )


def _completed(row: InputRow, references: tuple[str, ...], source: str | None, document: str | None) -> InputRow:
    """Return a system's row with what other files say of it."""
    return InputRow(
        row.candidate,
        references or row.references,
        row.source if source is None else source,
        row.identity,
        row.document if document is None else document,
    )


def _text_rows(path: str, wanted: str) -> Iterator[InputRow]:
    """Yield the lines of a text file, which has no columns."""
    for _, line in lines(path):
        yield InputRow(line, (), None, None) if wanted == "candidate" else InputRow("", (line,), None, None)


def split(text: str | None) -> list[str]:
    """Return what stands between commas.

    >>> split("a, b"), split(None)
    (['a', 'b'], [])
    """
    return [item.strip() for item in text.split(",") if item.strip()] if text else []


def pairs_of_records(data: Iterable[Mapping[str, object]], columns: Columns, system: str = "system") -> Pairs:
    """Build pairs from rows in memory, such as a Hugging Face dataset or a list of dicts."""
    reader: RowReader | None = None
    rows = []
    for number, record in enumerate(data, start=1):
        if not isinstance(record, Mapping):
            remedy = "give dicts, one per row, or a dict of columns"
            raise InputError(f"a row is of type {type(record).__name__}", path=MEMORY, line=number, remedy=remedy)
        reader = reader or RowReader(MEMORY, columns, record)
        rows.append(reader.row(number, record))
    if not rows:
        raise InputError("there are no rows", path=MEMORY)
    return _pairs_of_rows(rows, system)


def _pairs_of_rows(rows: Sequence[InputRow], system: str) -> Pairs:
    sources = [row.source for row in rows if row.source is not None]
    identities = [row.identity for row in rows if row.identity is not None]
    documents = [row.document for row in rows if row.document is not None]
    return Pairs(
        candidates=[row.candidate for row in rows],
        references=[row.references for row in rows],
        sources=sources if len(sources) == len(rows) else None,
        ids=identities if len(identities) == len(rows) else None,
        system=system,
        documents=documents if len(documents) == len(rows) else None,
    )
