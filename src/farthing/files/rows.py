"""Rows of any kind in the folder of a run: training pairs, judged outputs, the scores of a study.

The journal is that of all runs. Rows that come one after the other are written shard by shard, and an interrupted run
goes on with the first shard that is missing. Rows that are known only when all is done are written at the end; until
then the folder `parts` keeps what they are made of.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from farthing.core.errors import InputError, OutputError
from farthing.core.progress import Stopped
from farthing.files.journal import Journal, write_shard
from farthing.files.run_folder import PARTS, RESULTS, SHARDS
from farthing.files.write import write_text

if TYPE_CHECKING:
    import numpy as np
    import pyarrow

SHARD = 1024  # rows in one shard
KIND = "kind"  # in `about`: what the rows are, if they are no scores of systems
_Item = TypeVar("_Item")


def open_rows(folder: Path, kind: str, about: Mapping[str, object], *, overwrite: bool = False) -> Journal:
    """Start a run of rows in a folder, or resume the same one.

    :param kind: what the rows are, such as "pairs"
    :param about: all else that must be equal for a run to be resumed
    """
    if not folder.absolute().parent.is_dir():
        raise OutputError(f"{folder}: the folder {folder.parent} does not exist; make it first")
    return Journal.open(folder, {KIND: kind, **about, "shard": SHARD}, overwrite=overwrite)


def drop_parts(journal: Journal) -> None:
    """Remove what was kept before the rows were known."""
    shutil.rmtree(journal.folder / PARTS, ignore_errors=True)


def is_folder(path: str | Path) -> bool:
    """Tell whether a user's output is a folder (`run/`, `run`) or a file (`rows.parquet`).

    >>> is_folder("run/"), is_folder("run"), is_folder("rows.parquet")
    (True, True, False)
    """
    return str(path).endswith(("/", "\\")) or not Path(path).suffix


@contextmanager
def resumable(folder: Path) -> Iterator[None]:
    """Tell whoever interrupts a run that it can be resumed."""
    try:
        yield
    except Stopped:
        raise
    except KeyboardInterrupt as error:
        raise Stopped(f"what was done so far is kept in {folder}") from error


def shard_batches(items: Iterable[_Item], size: int | None = None) -> Iterator[list[_Item]]:
    """Yield so many items at a time, by default those of one shard.

    >>> list(shard_batches("abc", 2))
    [['a', 'b'], ['c']]
    """
    items = iter(items)
    while batch := list(islice(items, size or SHARD)):
        yield batch


def keep_shards(journal: Journal, shards: Iterable[pyarrow.Table]) -> None:
    """Write the shards that are not there yet; the same ones must come in the same order each time."""
    journal.expected = 0
    for number, rows in enumerate(shards):
        if number not in journal:
            write_shard(journal.folder, number, rows)
        journal.expected = number + 1


def keep_columns(
    journal: Journal, columns: Mapping[str, Sequence[object] | np.ndarray], notes: Mapping[str, str] | None = None
) -> None:
    """Write rows that are known only when all is done; what an interrupted attempt left of them is replaced.

    :param notes: go into the metadata of every shard
    """
    import pyarrow

    if journal.complete:
        return
    for path in (journal.folder / SHARDS).glob("*.parquet"):
        path.unlink()
    table = pyarrow.table(dict(columns)).replace_schema_metadata(dict(notes or {}))
    shards = [table.slice(start, SHARD) for start in range(0, table.num_rows, SHARD)]
    for number, rows in enumerate(shards):
        write_shard(journal.folder, number, rows)
    journal.expected = len(shards)


def close_rows(journal: Journal, results: Mapping[str, object]) -> None:
    """Write what was computed from all rows, and say that the run is complete."""
    write_text(journal.folder / RESULTS, json.dumps(dict(results), indent=1, ensure_ascii=False) + "\n")
    journal.finish()


def read_run_rows(folder: Path, kind: str) -> tuple[pyarrow.Table, bool]:
    """Read the rows of a run, and tell whether it is complete."""
    import pyarrow

    journal = Journal.read(folder)
    if journal.about.get(KIND) != kind:
        raise InputError(f"holds {journal.about.get(KIND, 'scores of systems')}, not {kind}", path=str(folder))
    if not len(journal):
        raise InputError("no rows are complete yet", path=str(folder), remedy="the command that wrote it resumes it")
    return pyarrow.concat_tables(journal.shard(place) for place in range(len(journal))), journal.complete
