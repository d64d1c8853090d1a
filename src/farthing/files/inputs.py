"""The input of a run: systems, references and sources, from memory or from files of any formats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from typing import Protocol

from farthing.core.columns import Columns, InputRow, SystemFile
from farthing.core.errors import UsageError
from farthing.core.types import Note, Pairs, Sets
from farthing.files.lines import blocks_of_lines
from farthing.files.read import format_of, table_rows, text_rows
from farthing.files.rejects import SKIPPING

STRETCH = 4096  # how many rows are in memory at a time


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a score depends on besides the metric, because of the way in which its texts were found.

    :param fields: for every signature, such as the name of a public test set
    :param notes: for the readers of a system's scores, by the name of the system
    """

    fields: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, Note] = field(default_factory=dict)


class Source(Protocol):
    """Where the texts of a run come from."""

    names: list[str]  #: the names of the systems
    provenance: Provenance

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

    def __init__(
        self, systems: Sequence[Pairs] = (), sets: Sequence[Sets] = (), provenance: Provenance | None = None
    ) -> None:
        self.systems, self._sets, self.provenance = list(systems), list(sets), provenance or Provenance()
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
        """Return one set per system; the references of pairs are their corpus."""
        pairs = ((one, list(chain.from_iterable(one.references))) for one in self.systems)
        return self._sets or [Sets(one.candidates, corpus, one.system) for one, corpus in pairs]

    def vectors(self) -> str | None:
        """Return None: pairs hold texts."""
        return None


class Inputs:
    """The outputs of systems with their references and sources, read from files, if needed more than once.

    A table with a column of systems holds several; such a table is kept in memory.

    :param systems: one file per system; a table may hold references and sources, too
    :param references: files of references
    :param source: a file of sources
    :param columns: the names of the columns in tables
    :param names: the names of the systems, by default those of the files, of the columns or in the tables
    :param stdin_format: the format of standard input, which is the file "-"
    :param documents: a file with the id of each row's document, one per line
    :param candidates: several columns of candidates, each of which is a system
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
        candidates: Sequence[str] = (),
        provenance: Provenance | None = None,
    ) -> None:
        self.references, self.source, self.documents = list(references), source, documents
        self.columns, self.stdin_format = columns or Columns(), stdin_format
        self.provenance = provenance or Provenance()
        if [*systems, *self._others()].count("-") > 1:
            raise UsageError("standard input (-) can be used for one file only")
        self.systems = self._system_files(systems, candidates)
        self.names = list(names or (one.name for one in self.systems))
        self._check_names()

    @classmethod
    def named(
        cls,
        systems: Sequence[str],
        references: Sequence[str] | None = None,
        source_file: str | None = None,
        candidate: Sequence[str] | str | None = None,
        reference: str | None = None,
        source: str | None = None,
        names: str | None = None,
        stdin_format: str = "txt",
        documents: str | None = None,
        system: str | None = None,
        test_set: str | None = None,
        language_pair: str | None = None,
    ) -> Inputs:
        """Return the input that the options of a command describe.

        `candidate`, `reference` and `names` are lists with commas; `candidate` may be several of them.

        :param documents: a file or a column of document ids; "none" if a column only looks like one
        :param test_set: a public test set that has the references and the sources of `language_pair`
        """
        given = [candidate] if isinstance(candidate, str) else candidate or []
        candidates = [name for text in given for name in split(text)]
        only = candidates[0] if len(candidates) == 1 else None
        file = documents if documents and Path(documents).is_file() else None
        document = None if file else documents
        columns = Columns(only, tuple(split(reference)), source, document=document, system=system)
        provenance = None
        if test_set or language_pair:
            from farthing.files.testsets import resolved

            found = resolved(test_set, language_pair, bool(references or source_file))
            references, source_file, provenance = found.references, found.source, Provenance(found.fields)
        return cls(
            systems, references or (), source_file, columns, split(names) or None, stdin_format, file,
            candidates if len(candidates) > 1 else (), provenance,
        )  # fmt: skip

    def _system_files(self, paths: Sequence[str], candidates: Sequence[str]) -> list[SystemFile]:
        """Return one entry per system: a file, a column of a file, or some rows of a file."""
        columns = replace(
            self.columns,
            reference=() if self.references else self.columns.reference,
            source=None if self.source else self.columns.source,
        )
        if not candidates and all(format_of(path, self.stdin_format) == "txt" for path in paths):
            return [SystemFile(path, path, columns) for path in paths]
        from farthing.files.long_tables import systems_of_tables

        return systems_of_tables(paths, columns, candidates, self.stdin_format)

    def _check_names(self) -> None:
        if len(self.names) != len(self.systems):
            raise UsageError(f"{len(self.systems)} systems but {len(self.names)} names: give one name per system")
        twice = [name for name, count in Counter(self.names).items() if count > 1]
        if twice:
            raise UsageError(f"two systems are called {twice[0]!r}: give them different names with --names")

    def _others(self) -> list[str]:
        """Return the files that do not hold outputs."""
        return [*self.references, *(path for path in (self.source, self.documents) if path)]

    def stretches(self, size: int = STRETCH) -> Iterator[list[Pairs]]:
        """Yield the pairs of all systems, `size` rows at a time, so that memory does not grow with the files."""
        rejects = SKIPPING.get()
        if rejects is None and self._plain():
            yield from self._plain_stretches(size)
            return
        rows = self._rows() if rejects is None else rejects.kept(self._rows(), self.systems[0].path)
        while block := list(islice(rows, size)):
            yield [self._pairs(block, index) for index in range(len(self.systems))]

    def _plain(self) -> bool:
        """Whether all inputs are the lines of text files with outputs and references."""
        named = self.columns != Columns() or any(one.columns != Columns() for one in self.systems)
        return not (named or self.source or self.documents) and all(
            format_of(path, self.stdin_format) == "txt" for path in self.paths()
        )

    def _plain_stretches(self, size: int) -> Iterator[list[Pairs]]:
        count = len(self.systems)
        for blocks in blocks_of_lines([*(one.path for one in self.systems), *self.references], size):
            rows = len(blocks[0])
            if any(len(block) != rows for block in blocks):
                raise self._uneven()
            references = list(zip(*blocks[count:], strict=True)) if self.references else [()] * rows
            yield [Pairs(block, references, system=name) for block, name in zip(blocks, self.names, strict=False)]

    def pairs(self) -> list[Pairs]:
        """Read all rows at once: one `Pairs` per system."""
        [whole] = self.stretches(size=2**62)
        return whole

    def sets(self) -> list[Sets]:
        """Read one set per system; the references are the corpus."""
        from farthing.files.sets import read_sets

        return read_sets(self.systems, self.references, self.names, self.columns, self.stdin_format)

    def paths(self) -> list[str]:
        """Return every file that is read, once each."""
        return list(dict.fromkeys([*(one.path for one in self.systems), *self._others()]))

    def vectors(self) -> str | None:
        """Return the first file that holds vectors, None if there is none."""
        files = [path for path in self.paths() if path.lower().endswith((".npy", ".parquet"))]
        if not files:
            return None
        from farthing.files.sets import any_vectors

        return any_vectors(files, self.columns)

    def _pairs(self, block: list[tuple[InputRow, ...]], index: int) -> Pairs:
        from farthing.files.pairing import pairs_of_rows

        return pairs_of_rows([entry[index] for entry in block], self.names[index])

    def _rows(self) -> Iterator[tuple[InputRow, ...]]:
        """Yield the rows of all systems, completed with the references and sources of other files."""
        from farthing.files.pairing import completed

        files = [rows for _, rows in self.files()]
        count = len(self.systems)
        for entry in self._in_step(files):
            systems, others = entry[:count], entry[count:]
            source = others[len(self.references)].source if self.source else None
            document = others[-1].candidate if self.documents else None
            given = tuple(chain.from_iterable(row.references for row in others[: len(self.references)]))
            broken = next((row.broken for row in others if row.broken), None)
            yield tuple(completed(row, given, source, document, broken) for row in systems)

    def files(self) -> list[tuple[str, Iterator[InputRow]]]:
        """Return the rows of the systems, of the references, sources and documents, each with its file."""
        references, source = Columns(reference=self.columns.reference), Columns(source=self.columns.source)
        files = [
            *((one, "candidate") for one in self.systems),
            *((SystemFile(path, path, references), "reference") for path in self.references),
            *([(SystemFile(self.source, self.source, source), "source")] if self.source else []),
            *([(SystemFile(self.documents, self.documents, Columns()), "candidate")] if self.documents else []),
        ]
        return [(one.path, self._file(one, wanted)) for one, wanted in files]

    def _file(self, file: SystemFile, wanted: str) -> Iterator[InputRow]:
        if file.rows is not None:
            yield from file.rows
            return
        kind = format_of(file.path, self.stdin_format)
        if wanted != "source" and kind == "txt" and file.columns == Columns():
            yield from text_rows(file.path, wanted)
            return
        yield from table_rows(file.path, file.columns, wanted, self.stdin_format)

    def _in_step(self, files: list[Iterator[InputRow]]) -> Iterator[tuple[InputRow, ...]]:
        """Zip the rows of files; the error for files of different lengths names both and their line counts."""
        while True:
            entry = [next(file, None) for file in files]
            rows = [row for row in entry if row is not None]
            if not rows:
                return
            if len(rows) < len(files):
                raise self._uneven()
            yield tuple(rows)

    def _uneven(self) -> Exception:
        from farthing.files.parting import lengths_differ

        return lengths_differ(self.files(), systems=len(self.systems), references=len(self.references))


def split(text: str | None) -> list[str]:
    """Return what stands between commas.

    >>> split("a, b"), split(None)
    (['a', 'b'], [])
    """
    return [item.strip() for item in text.split(",") if item.strip()] if text else []
