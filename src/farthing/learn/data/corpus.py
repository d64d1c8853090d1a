"""The raw text that pairs are made from: sentences or documents, from any kind of file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from farthing.core.columns import TEXT
from farthing.core.errors import InputError
from farthing.files.lines import lines
from farthing.files.read import records

COLUMNS = (TEXT, "sentence", "document", "article", "content")


@dataclass(frozen=True, slots=True)
class Document:
    """One text of a corpus, with a name that says where it stands."""

    name: str
    record: Mapping[str, object]
    text: str


def read_corpus(path: str, column: str | int | None = None, least: int = 2) -> list[Document]:
    """Read the texts of a corpus; empty ones are left out.

    :param column: the column's name, or its number (from 1) in a tab-separated file without a header
    :param least: fewer texts than this are an error
    """
    cells = list(_numbered_cells(path, column) if isinstance(column, int) else _named_cells(path, column))
    documents = [Document(f"{Path(path).name}:{number}", record, text) for number, record, text in cells if text]
    if len(documents) < least:
        there = {0: "no text", 1: "only one text"}.get(len(documents), f"only {len(documents)} texts")
        raise InputError(f"{there} in this corpus", path=path, remedy=f"give at least {least}, one per line or row")
    return documents


def _numbered_cells(path: str, column: int) -> Iterator[tuple[int, Mapping[str, object], str]]:
    for number, line in lines(path):
        cells = line.split("\t")
        if not 1 <= column <= len(cells):
            raise InputError(f"no column {column}: the line has {len(cells)}", path=path, line=number)
        yield number, {}, cells[column - 1].strip()


def _named_cells(path: str, column: str | None) -> Iterator[tuple[int, Mapping[str, object], str]]:
    name = column
    for number, record in records(path):
        name = name or _guessed(path, record)
        value = record.get(name)
        if not isinstance(value, str):
            raise InputError(
                f"no text in the column {name!r}", path=path, line=number, remedy=f"there are: {', '.join(record)}"
            )
        yield number, record, value.strip()


def _guessed(path: str, record: Mapping[str, object]) -> str:
    lower = {name.lower(): name for name in record}
    for name in COLUMNS:
        if name in lower:
            return lower[name]
    there = ", ".join(record)
    raise InputError("which column is the text?", path=path, remedy=f"set column to one of: {there}")


def last_cells(path: str) -> list[str]:
    """Read the lines of a text, or the last column of a tab-separated table without a header."""
    return [line.rsplit("\t", 1)[-1] for _, line in lines(path)]


def shuffled(documents: Sequence[Document], random: np.random.Generator) -> list[Document]:
    """Return the documents in random order."""
    return [documents[place] for place in random.permutation(len(documents))]
