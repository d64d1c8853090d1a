"""Read sets from files: generated samples and a corpus, as texts or vectors, of any sizes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from farthing.core.columns import Columns, InputRow, SystemFile
from farthing.core.errors import UsageError
from farthing.core.types import Sets, TextsOrVectors
from farthing.files.read import table_rows
from farthing.files.vectors import holds_vectors, read_vectors


def read_sets(
    systems: Sequence[SystemFile],
    references: Sequence[str],
    names: Sequence[str],
    columns: Columns | None = None,
    stdin_format: str = "txt",
) -> list[Sets]:
    """Read one `Sets` per system, all with the same corpus object.

    :param references: the files of the corpus; if there are none, the references in a system's own table are its corpus
    """
    columns = columns or Columns()
    generated = [_generated(one, stdin_format) for one in systems]
    if references:
        corpora: list[TextsOrVectors] = [_joined(references, columns, stdin_format)] * len(systems)
    else:
        corpora = [_own_corpus(one, stdin_format) for one in systems]
    for one, mine, corpus in zip(systems, generated, corpora, strict=True):
        if len(corpus) and isinstance(mine, np.ndarray) != isinstance(corpus, np.ndarray):
            raise UsageError(f"{one.path} and its corpus must both be texts or both be vectors")
    return [Sets(mine, corpus, name) for mine, corpus, name in zip(generated, corpora, names, strict=True)]


def any_vectors(paths: Sequence[str], columns: Columns | None = None) -> str | None:
    """Return the first file that holds vectors, None if there is none."""
    column = (columns or Columns()).candidate
    return next((path for path in paths if path != "-" and holds_vectors(path, column)), None)


def _generated(system: SystemFile, stdin_format: str) -> TextsOrVectors:
    if system.rows is None and system.path != "-" and holds_vectors(system.path, system.columns.candidate):
        return read_vectors(system.path, system.columns.candidate)
    return [row.candidate for row in _rows_of(system, stdin_format)]


def _rows_of(system: SystemFile, stdin_format: str) -> Sequence[InputRow]:
    if system.rows is not None:
        return system.rows
    return list(table_rows(system.path, system.columns, "candidate", stdin_format))


def _samples(path: str, columns: Columns, stdin_format: str) -> TextsOrVectors:
    """Read a file of the corpus."""
    column = next(iter(columns.reference), None)
    if path != "-" and holds_vectors(path, column):
        return read_vectors(path, column)
    return list(chain.from_iterable(row.references for row in table_rows(path, columns, "reference", stdin_format)))


def _joined(paths: Sequence[str], columns: Columns, stdin_format: str) -> TextsOrVectors:
    parts = [_samples(path, Columns(reference=columns.reference), stdin_format) for path in paths]
    vectors = [part for part in parts if isinstance(part, np.ndarray)]
    if not vectors:
        return [text for part in parts for text in part]
    if len(vectors) < len(parts):
        raise UsageError("the files of the corpus must all be texts or all be vectors")
    if len({part.shape[1] for part in vectors}) > 1:
        raise UsageError(f"the files of the corpus have vectors of different dimensions: {', '.join(paths)}")
    return np.concatenate(vectors)


def _own_corpus(system: SystemFile, stdin_format: str) -> list[str]:
    """Read the references in the table of a system; there may be none."""
    held = system.rows is None and system.path != "-" and holds_vectors(system.path, system.columns.candidate)
    rows = [] if held else _rows_of(system, stdin_format)
    return list(chain.from_iterable(row.references for row in rows))
