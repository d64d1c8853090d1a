"""Training pairs as a Parquet file: columns with their provenance, and the recipe in the file's own metadata."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from farthing.core.errors import InputError
from farthing.files.read import check_file
from farthing.files.write import replacing
from farthing.learn.pairs.base import TrainingPair

TEXTS = ("candidate", "reference")
SCORE = "score"


@dataclass(frozen=True, slots=True)
class PairTable:
    """Columns of equal length, `candidate` and `reference` among them, with notes by name."""

    columns: Mapping[str, Sequence[Any]]
    notes: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.columns[TEXTS[0]])

    @property
    def candidates(self) -> list[str]:
        """The first texts."""
        return list(self.columns[TEXTS[0]])

    @property
    def references(self) -> list[str]:
        """The second texts."""
        return list(self.columns[TEXTS[1]])

    @property
    def scores(self) -> np.ndarray:
        """The teacher's scores."""
        return np.asarray(self.columns[SCORE], dtype=np.float64)

    @property
    def documents(self) -> list[str]:
        """For each pair what it belongs to; pairs that come from nowhere stand for themselves."""
        if "document" not in self.columns:
            return [str(row) for row in range(len(self))]
        sources = self.columns.get("source", [""] * len(self))
        return [f"{source}:{document}" for source, document in zip(sources, self.columns["document"], strict=True)]

    def rows(self, places: Sequence[int] | np.ndarray) -> PairTable:
        """Some of the rows."""
        chosen = {name: [column[place] for place in places] for name, column in self.columns.items()}
        return PairTable(chosen, self.notes)


def table_of(pairs: Sequence[TrainingPair], seed: int, notes: Mapping[str, str]) -> PairTable:
    """Pairs as columns."""
    names = TrainingPair.__slots__
    columns: dict[str, list[Any]] = {name: [getattr(pair, name) for pair in pairs] for name in names}
    return PairTable({**columns, "seed": [seed] * len(pairs)}, notes)


def write_pairs(path: str | Path, table: PairTable) -> None:
    """Write the file, whole or not at all."""
    import pyarrow
    import pyarrow.parquet

    content = pyarrow.table(dict(table.columns)).replace_schema_metadata(dict(table.notes))
    with replacing(path) as stream:
        pyarrow.parquet.write_table(content, stream, compression="zstd")


def read_pairs(path: str | Path, *, scored: bool = False) -> PairTable:
    """Read the file and check that it has what is needed.

    :param scored: the teacher's scores must be there
    """
    import pyarrow
    import pyarrow.parquet

    check_file(str(path))
    try:
        content = pyarrow.parquet.read_table(path)
    except (pyarrow.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"not a readable Parquet file: {reason}", path=str(path)) from error
    notes = {key.decode(): value.decode() for key, value in (content.schema.metadata or {}).items()}
    notes.pop("ARROW:schema", None)
    table = PairTable({name: content.column(name).to_pylist() for name in content.column_names}, notes)
    _check(str(path), table, scored)
    return table


def _check(path: str, table: PairTable, scored: bool) -> None:
    for name in (*TEXTS, *([SCORE] if scored else [])):
        if name not in table.columns:
            remedy = "run farthing learn annotate first" if name == SCORE else f"there are: {', '.join(table.columns)}"
            raise InputError(f"no column {name!r}", path=path, remedy=remedy)
    if not len(table):
        raise InputError("there is no pair in it", path=path, remedy="make pairs with farthing learn pairs")
    for name in TEXTS:
        row = next((row for row, text in enumerate(table.columns[name]) if not isinstance(text, str)), None)
        if row is not None:
            raise InputError(f"no text in the column {name!r}", path=path, line=row + 1)
    if scored and not np.isfinite(table.scores).all():
        row = int(np.flatnonzero(~np.isfinite(table.scores))[0])
        raise InputError("the score is not a number", path=path, line=row + 1, remedy="annotate the pairs anew")
