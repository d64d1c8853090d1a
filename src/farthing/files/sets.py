"""Read sets from files: generated samples and a corpus, as texts or vectors, of any sizes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from farthing.core.columns import Columns, InputRow, RowReader
from farthing.core.errors import UsageError
from farthing.core.types import Sets, TextsOrVectors
from farthing.files.read import records
from farthing.files.vectors import holds_vectors, read_vectors


def read_sets(
    systems: Sequence[str],
    references: Sequence[str],
    names: Sequence[str],
    columns: Columns | None = None,
    stdin_format: str = "txt",
) -> list[Sets]:
    """Read one `Sets` per system, all with the same corpus object.

    :param references: the files of the corpus; if there are none, the references in a system's own table are its corpus
    """
    columns = columns or Columns()
    generated = [_samples(path, columns, "candidate", stdin_format) for path in systems]
    if references:
        corpora: list[TextsOrVectors] = [_joined(references, columns, stdin_format)] * len(systems)
    else:
        corpora = [_own_corpus(path, columns, stdin_format) for path in systems]
    for path, mine, corpus in zip(systems, generated, corpora, strict=True):
        if len(corpus) and isinstance(mine, np.ndarray) != isinstance(corpus, np.ndarray):
            raise UsageError(f"{path} and its corpus must both be texts or both be vectors")
    return [Sets(mine, corpus, name) for mine, corpus, name in zip(generated, corpora, names, strict=True)]


def any_vectors(paths: Sequence[str], columns: Columns | None = None) -> str | None:
    """Return the first file that holds vectors, None if there is none."""
    column = (columns or Columns()).candidate
    return next((path for path in paths if path != "-" and holds_vectors(path, column)), None)


def _samples(path: str, columns: Columns, wanted: str, stdin_format: str) -> TextsOrVectors:
    column = columns.candidate if wanted == "candidate" else next(iter(columns.reference), None)
    if path != "-" and holds_vectors(path, column):
        return read_vectors(path, column)
    rows = _rows(path, columns, wanted, stdin_format)
    if wanted == "candidate":
        return [row.candidate for row in rows]
    return list(chain.from_iterable(row.references for row in rows))


def _rows(path: str, columns: Columns, wanted: str, stdin_format: str) -> list[InputRow]:
    reader: RowReader | None = None
    rows = []
    for number, record in records(path, stdin_format):
        reader = reader or RowReader(path, columns, record, wanted)
        rows.append(reader.row(number, record))
    return rows


def _joined(paths: Sequence[str], columns: Columns, stdin_format: str) -> TextsOrVectors:
    parts = [_samples(path, columns, "reference", stdin_format) for path in paths]
    vectors = [part for part in parts if isinstance(part, np.ndarray)]
    if not vectors:
        return [text for part in parts for text in part]
    if len(vectors) < len(parts):
        raise UsageError("the files of the corpus must all be texts or all be vectors")
    if len({part.shape[1] for part in vectors}) > 1:
        raise UsageError(f"the files of the corpus have vectors of different dimensions: {', '.join(paths)}")
    return np.concatenate(vectors)


def _own_corpus(path: str, columns: Columns, stdin_format: str) -> list[str]:
    """Read the references in the table of a system; there may be none."""
    held = path != "-" and holds_vectors(path, columns.candidate)
    rows = [] if held else _rows(path, columns, "candidate", stdin_format)
    return list(chain.from_iterable(row.references for row in rows))
