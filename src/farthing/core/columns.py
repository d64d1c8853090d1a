"""Find the columns of a table: those that the user names, or those with the usual names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from farthing.core.errors import InputError
from farthing.core.texts import is_missing

TEXT = "text"  # the only column of a file of plain lines
MEMORY = "data"  # what messages call a table that is no file
CANDIDATE = (
    "candidate",
    "hypothesis",
    "hyp",
    "mt",
    "prediction",
    "pred",
    "output",
    "generated",
    "translation",
    "system_output",
)
REFERENCE = ("reference", "references", "ref", "refs", "target", "gold", "summary")
SOURCE = ("source", "src", "input", "document")
IDENTITY = ("id", "segment_id", "seg_id", "segment")
DOCUMENT = ("doc_id", "docid", "document_id", "doc", "document")
NO_DOCUMENTS = "none"  # the name that says: there are no document ids, whatever the columns are called
_NUMBERED = re.compile(r"(?:reference|ref)[_-]?\d+\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Columns:
    """The names of the columns; those that are None or empty are guessed."""

    candidate: str | None = None
    reference: tuple[str, ...] = ()
    source: str | None = None
    identity: str | None = None
    document: str | None = None


@dataclass(frozen=True, slots=True)
class InputRow:
    """The texts of one row of a file."""

    candidate: str
    references: tuple[str, ...]
    source: str | None
    identity: str | None
    document: str | None = None


class RowReader:
    """Reads the records of one file as rows; the first record decides which columns are used.

    :param wanted: "candidate", "reference" or "source": the column that the file must have
    """

    def __init__(self, path: str, columns: Columns, first: Mapping[str, object], wanted: str = "candidate") -> None:
        self.path = path
        text = [TEXT] if list(first) == [TEXT] else []
        self.candidate = self._one(columns.candidate, text or CANDIDATE, first, wanted == "candidate", "candidate")
        self.references = self._references(columns.reference, text if wanted == "reference" else [], first)
        self.source = self._one(
            columns.source, text if wanted == "source" else SOURCE, first, wanted == "source", "source"
        )
        self.identity = self._one(columns.identity, IDENTITY, first, False, "id")
        self.document = self._document(columns.document if wanted == "candidate" else None, first)
        if wanted == "reference" and not self.references:
            raise self._missing("reference", first)

    def row(self, number: int, record: Mapping[str, object]) -> InputRow:
        """Read the row of a record.

        :param number: the line of the file, for messages
        """
        references: list[str] = []
        for name in self.references:
            references += self._texts(number, name, record.get(name))
        candidate = self._text(number, self.candidate, record) if self.candidate else ""
        source = self._text(number, self.source, record) if self.source else None
        identity = record.get(self.identity) if self.identity else None
        document = record.get(self.document) if self.document else None
        return InputRow(candidate, tuple(references), source, _name(identity), _name(document))

    def _one(
        self, named: str | None, usual: Sequence[str], first: Mapping[str, object], needed: bool, what: str
    ) -> str | None:
        if named is not None:
            if named not in first:
                raise self._missing(named, first)
            return named
        lower = {name.lower(): name for name in first}
        column = next((lower[name] for name in usual if name in lower), None)
        if column is None and needed:
            raise self._missing(what, first)
        return column

    def _document(self, named: str | None, first: Mapping[str, object]) -> str | None:
        """The column of document ids; a column that holds the sources is none."""
        if named == NO_DOCUMENTS:
            return None
        usual = [name for name in DOCUMENT if name != (self.source or "").lower()]
        return self._one(named, usual, first, False, "document")

    def _references(self, named: Sequence[str], text: Sequence[str], first: Mapping[str, object]) -> list[str]:
        if named:
            for name in named:
                if name not in first:
                    raise self._missing(name, first)
            return list(named)
        numbered = [name for name in first if _NUMBERED.match(name)]
        single = self._one(None, text or REFERENCE, first, False, "reference")
        return [single] if single else numbered

    def _missing(self, what: str, first: Mapping[str, object]) -> InputError:
        there = ", ".join(first) or "none"
        how = f"with --{_flag(what)}"
        if self.path == MEMORY:
            how = 'in farthing.read(table, candidate="…", reference="…"); systems are compared by farthing.compare'
        return InputError(f"no column {what!r}", path=self.path, remedy=f"there are: {there}; name it {how}")

    def _text(self, number: int, name: str, record: Mapping[str, object]) -> str:
        value = record.get(name)
        if not isinstance(value, str):
            raise self._wrong_type(number, name, value)
        return value

    def _texts(self, number: int, name: str, value: object) -> list[str]:
        if isinstance(value, str):
            return [value]
        if value is None and len(self.references) > 1:
            return []  # this row has fewer references than other rows
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return value
        raise self._wrong_type(number, name, value, "text or a list of texts")

    def _wrong_type(self, number: int, name: str, value: object, expected: str = "text") -> InputError:
        found = "nothing" if is_missing(value) else type(value).__name__
        return InputError(f"the field {name!r} must be {expected}, found {found}", path=self.path, line=number)


def _name(value: object) -> str | None:
    return None if value is None else str(value)


def _flag(what: str) -> str:
    return what if what in ("candidate", "reference", "source") else "candidate, --reference, --source or --documents"
