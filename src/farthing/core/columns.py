"""Find the columns of a table: those that the user names, or those with the usual names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from farthing.core.errors import InputError
from farthing.core.texts import is_missing, without_surrogates

TEXT = "text"  # the only column of a file of plain lines
MEMORY = "data"  # what messages call a table that is no file
_GENERATED = (
    "candidate", "hypothesis", "hyp", "mt", "prediction", "predictions", "pred", "preds", "generated_text", "generated",
    "generation", "model_output", "system_output", "mt_output", "candidates", "hypotheses", "hyps",
)  # fmt: skip
CANDIDATE = (*_GENERATED, "output", "outputs", "response", "responses", "completion", "translation", "answer")
REFERENCE = (
    "reference", "references", "ref", "refs", "target", "targets", "gold", "golden", "ground_truth", "ground_truths",
    "groundtruth", "expected", "expected_output", "ideal", "label", "labels", "highlights", "summary", "answers",
)  # fmt: skip
SOURCE = ("source", "src", "input", "inputs", "document", "article", "prompt", "question", "query", "instruction")
IDENTITY = ("id", "segment_id", "seg_id", "segment")
DOCUMENT = ("doc_id", "docid", "document_id", "doc", "document")
NO_DOCUMENTS = "none"  # the name that says: there are no document ids, whatever the columns are called
SYSTEM = ("system", "system_id", "system_name", "sys", "model", "model_name")
# Names of wanted texts beside columns of candidates with these names: {"prediction": …, "answer": …}.
_WANTED = {"answer": CANDIDATE, "output": _GENERATED, "translation": _GENERATED, "completion": _GENERATED}
_NUMBERED = re.compile(r"(?:reference|ref)[_-]?\d+\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Columns:
    """The names of the columns; those that are None or empty are guessed."""

    candidate: str | None = None
    reference: tuple[str, ...] = ()
    source: str | None = None
    identity: str | None = None
    document: str | None = None
    system: str | None = None  # "none": the table has no such column, whatever its columns are called


@dataclass(frozen=True, slots=True)
class InputRow:
    """The texts of one row of a file."""

    candidate: str
    references: tuple[str, ...]
    source: str | None
    identity: str | None
    document: str | None = None
    system: str | None = None
    broken: object | None = None  #: why the row cannot be used, if it cannot; it only keeps its place then


@dataclass(frozen=True, slots=True)
class SystemFile:
    """Where the outputs of one system are: in a file, or in some rows of a file, which are held then."""

    name: str
    path: str
    columns: Columns
    rows: Sequence[InputRow] | None = None


class RowReader:
    """Reads the records of one file as rows; the first record decides which columns are used.

    :param wanted: "candidate", "reference" or "source": the column that the file must have
    """

    def __init__(self, path: str, columns: Columns, first: Mapping[str, object], wanted: str = "candidate") -> None:
        self.path, self._first = path, first
        text = [TEXT] if list(first) == [TEXT] else []
        self.candidate = self._one(columns.candidate, text or CANDIDATE, wanted == "candidate", "candidate")
        self.references = self._references(columns.reference, text if wanted == "reference" else [])
        self._guesses_source = columns.source is None and wanted != "source"
        self.source = self._one(columns.source, text if wanted == "source" else SOURCE, wanted == "source", "source")
        self.identity = self._one(columns.identity, IDENTITY, False, "id", text=False)
        system = None if columns.system == "none" else self._one(columns.system, SYSTEM, False, "system", text=False)
        self.system = system
        self.document = self._document(columns.document if wanted == "candidate" else None)
        if wanted in ("reference", "source"):
            self.candidate = None
        if wanted == "reference" and not self.references:
            raise self._missing("reference")

    def row(self, number: int, record: Mapping[str, object]) -> InputRow:
        """Read the row of a record.

        :param number: the line of the file, for messages
        """
        references: list[str] = []
        for name in self.references:
            references += self._texts(number, name, record.get(name))
        candidate = (self._text(number, self.candidate, record) if self.candidate else None) or ""
        source = self._text(number, self.source, record, self._guesses_source) if self.source else None
        columns = (self.identity, self.document, self.system)
        return InputRow(candidate, tuple(references), source, *(_name(record, column) for column in columns))

    def _one(
        self, named: str | None, usual: Sequence[str], needed: bool, what: str, *, text: bool = True
    ) -> str | None:
        if named is not None:
            if named not in self._first:
                raise self._missing(named)
            return named
        lower = {name.lower(): name for name in self._first}
        known = [lower[name] for name in usual if name in lower]
        fitting = [name for name in known if not text or _is_text(self._first[name])]
        if not known and needed:
            raise self._missing(what)
        return next(iter(fitting or (known if needed else [])), None)

    def _document(self, named: str | None) -> str | None:
        """The column of document ids; a column that holds the sources is none."""
        if named == NO_DOCUMENTS:
            return None
        usual = [name for name in DOCUMENT if name != (self.source or "").lower()]
        return self._one(named, usual, False, "document", text=False)

    def _references(self, named: Sequence[str], text: Sequence[str]) -> list[str]:
        if named:
            for name in named:
                if name not in self._first:
                    raise self._missing(name)
            return list(named)
        numbered = [name for name in self._first if _NUMBERED.match(name)]
        single = self._one(None, text or REFERENCE, False, "reference")
        if single or numbered:
            return [single] if single else numbered
        candidate = (self.candidate or "").lower()
        wanted = [name for name, others in _WANTED.items() if candidate in others and name != candidate]
        found = self._one(None, wanted, False, "reference")
        return [found] if found else []

    def _missing(self, what: str) -> InputError:
        there = ", ".join(self._first) or "none"
        how = f"with --{_flag(what)}"
        if self.path == MEMORY:
            how = 'in farthing.read(table, candidate="…", reference="…"); systems are compared by farthing.compare'
        return InputError(f"no column {what!r}", path=self.path, remedy=f"there are: {there}; name it {how}")

    def _text(self, number: int, name: str, record: Mapping[str, object], lenient: bool = False) -> str | None:
        value = record.get(name)
        if isinstance(value, str):
            return value if value.isascii() else without_surrogates(value)
        if lenient:
            return None  # nobody asked for this column
        raise self._wrong_type(number, name, value)

    def _texts(self, number: int, name: str, value: object) -> list[str]:
        if isinstance(value, str):
            return [value if value.isascii() else without_surrogates(value)]
        if value is None and len(self.references) > 1:
            return []  # this row has fewer references than other rows
        if isinstance(value, dict) and "text" in value:  # as question answering keeps several answers
            value = value["text"]
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return list(map(without_surrogates, value))
        raise self._wrong_type(number, name, value, "text or a list of texts")

    def _wrong_type(self, number: int, name: str, value: object, expected: str = "text") -> InputError:
        found = "nothing" if is_missing(value) else type(value).__name__
        return InputError(f"the field {name!r} must be {expected}, found {found}", path=self.path, line=number)


def rows_of_records(data: Iterable[Mapping[str, object]], columns: Columns) -> list[InputRow]:
    """Read rows in memory, of which there must be one."""
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
    return rows


def _is_text(value: object) -> bool:
    """Tell whether a cell can hold a text or several; a missing one may."""
    return value is None or isinstance(value, str | list) or (isinstance(value, dict) and "text" in value)


def _name(record: Mapping[str, object], column: str | None) -> str | None:
    value = record.get(column) if column else None
    return None if value is None else str(value)


def _flag(what: str) -> str:
    return what if what in ("candidate", "reference", "source") else "candidate, --reference, --source or --documents"
