"""Training pairs as a Parquet file: columns with their provenance, and the recipe in the file's own metadata."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from farthing.core.errors import InputError
from farthing.files.lines import check_file
from farthing.files.rows import read_run_rows
from farthing.files.write import replacing
from farthing.learn.pairs.base import TrainingPair

if TYPE_CHECKING:
    import pyarrow

TEXTS = ("candidate", "reference")
SCORE = "score"
PAIRS = "pairs"  #: what the rows of a run are that `farthing learn` wrote
PARTIAL = "partial"  #: the note of pairs from a run that is not complete


@dataclass(frozen=True, slots=True)
class PairTable:
    """Columns of equal length, among them `candidate` and `reference`, and notes by name."""

    columns: Mapping[str, Sequence[object]]
    notes: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.columns[TEXTS[0]])

    @property
    def candidates(self) -> list[str]:
        """The first text of every pair."""
        return cast(list[str], list(self.columns[TEXTS[0]]))

    @property
    def references(self) -> list[str]:
        """The second text of every pair."""
        return cast(list[str], list(self.columns[TEXTS[1]]))

    def texts(self, name: str, path: str = "") -> list[str]:
        """Return the texts of any column; one that is absent or holds something else is an error."""
        if name not in self.columns:
            raise InputError(f"no column {name!r}", path=path, remedy=f"there are: {', '.join(self.columns)}")
        for row, text in enumerate(self.columns[name]):
            if not isinstance(text, str):
                raise InputError(f"no text in the column {name!r}", path=path, line=row + 1)
        return cast(list[str], list(self.columns[name]))

    @property
    def scores(self) -> np.ndarray:
        """The teacher's scores."""
        return np.asarray(self.columns[SCORE], dtype=np.float64)

    @property
    def documents(self) -> list[str]:
        """The document of every pair; without such a column every pair is its own document."""
        if "document" not in self.columns:
            return [str(row) for row in range(len(self))]
        sources = self.columns.get("source", [""] * len(self))
        return [f"{source}:{document}" for source, document in zip(sources, self.columns["document"], strict=True)]

    def rows(self, places: Sequence[int] | np.ndarray) -> PairTable:
        """Return some of the rows."""
        chosen = {name: [column[place] for place in places] for name, column in self.columns.items()}
        return PairTable(chosen, self.notes)


def table_of(pairs: Sequence[TrainingPair], seed: int, notes: Mapping[str, str]) -> PairTable:
    """Put pairs into columns."""
    names = TrainingPair.__slots__
    columns: dict[str, list[object]] = {name: [getattr(pair, name) for pair in pairs] for name in names}
    return PairTable({**columns, "seed": [seed] * len(pairs)}, notes)


def write_pairs(path: str | Path, table: PairTable) -> None:
    """Write the file, whole or not at all."""
    import pyarrow.parquet

    with replacing(path) as stream:
        pyarrow.parquet.write_table(arrow_pairs(table), stream, compression="zstd")


def arrow_pairs(table: PairTable) -> pyarrow.Table:
    """Return the columns as Arrow's, with the notes as metadata."""
    import pyarrow

    return pyarrow.table(dict(table.columns)).replace_schema_metadata(dict(table.notes))


def read_pairs(path: str | Path, *, scored: bool = False) -> PairTable:
    """Read a file of pairs, or the folder of a run of them, which may be partial: then a note says so.

    :param scored: require the teacher's scores
    """
    content, complete = read_run_rows(Path(path), PAIRS) if Path(path).is_dir() else (_read_file(path), True)
    notes = {key.decode(): value.decode() for key, value in (content.schema.metadata or {}).items()}
    notes.pop("ARROW:schema", None)
    if not complete:
        notes[PARTIAL] = "the run is not complete: some pairs are missing"
    table = PairTable({name: content.column(name).to_pylist() for name in content.column_names}, notes)
    _check(str(path), table, scored)
    return table


def _read_file(path: str | Path) -> pyarrow.Table:
    import pyarrow
    import pyarrow.parquet

    check_file(str(path))
    try:
        return pyarrow.parquet.read_table(path)
    except (pyarrow.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"not a readable Parquet file: {reason}", path=str(path)) from error


def read_notes(path: str | Path) -> dict[str, str]:
    """Read the notes of a Parquet file alone; empty if it has none."""
    import pyarrow
    import pyarrow.parquet

    check_file(str(path))
    try:
        notes = pyarrow.parquet.read_schema(path).metadata or {}
    except (pyarrow.ArrowException, OSError) as error:
        raise InputError(f"not a readable Parquet file: {str(error).splitlines()[0]}", path=str(path)) from error
    return {key.decode(): value.decode() for key, value in notes.items() if key != b"ARROW:schema"}


def _check(path: str, table: PairTable, scored: bool) -> None:
    for name in TEXTS:
        table.texts(name, path)
    if not len(table):
        raise InputError("there is no pair in it", path=path, remedy="make pairs with farthing learn pairs")
    if scored and SCORE not in table.columns:
        raise InputError(f"no column {SCORE!r}", path=path, remedy="run farthing learn annotate first")
    if scored and not np.isfinite(table.scores).all():
        row = int(np.flatnonzero(~np.isfinite(table.scores))[0])
        raise InputError("the score is not a number", path=path, line=row + 1, remedy="annotate the pairs again")
