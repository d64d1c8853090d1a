"""A table of segments that is written without its rows ever being in memory together.

The table has one system's rows after the other's, but all systems are scored together: the scores of each system wait
in a file of their own, which has no name, so that nothing is left of it whatever happens to the process.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO, TypeAlias

import numpy as np

from farthing.core.types import Scores
from farthing.files.write import unchanged_if_full, write_chunks
from farthing.scoring.engine import StretchScores
from farthing.scoring.segments import segment_columns

_Columns: TypeAlias = dict[str, np.ndarray]
AT_LEAST = 2**16  # rows that are written together, as far as there are so many


class SegmentSpool(ExitStack):
    """Takes the scores of one stretch after the other, and writes them to a table in the end.

    :param table: the file to write; the scores wait on the same disk
    """

    def __init__(self, table: Path) -> None:
        super().__init__()
        self.table = table
        self._systems: dict[str, _Waiting] = {}

    def add(self, found: StretchScores) -> None:
        """Keep the scores of a stretch: [metric][system]."""
        try:
            with unchanged_if_full(self.table):
                for scores in zip(*found, strict=True):
                    self._waiting(scores[0].system).add(scores)
        except BaseException:
            with suppress(OSError):  # closing writes what still waits, which a full disk refuses again
                self.close()
            raise

    def _waiting(self, system: str) -> _Waiting:
        if system not in self._systems:
            file = self.enter_context(tempfile.TemporaryFile(dir=self.table.parent))  # noqa: SIM115 (until written)
            self._systems[system] = _Waiting(system, file)
        return self._systems[system]

    def write(self) -> None:
        """Write the table."""
        write_chunks(self.table, (chunk for waiting in self._systems.values() for chunk in waiting.chunks()))


class _Waiting:
    """The scores of one system."""

    def __init__(self, system: str, file: IO[bytes]) -> None:
        self.system, self.file = system, file
        self.names: list[str] = []
        self.stretches = 0

    def add(self, scores: Sequence[Scores]) -> None:
        columns = segment_columns({self.system: scores})
        self.names = self.names or list(columns)
        self.stretches += 1
        for column in list(columns.values())[2:]:  # after the system and the row, which need not wait
            np.save(self.file, column, allow_pickle=False)
        self.file.flush()  # so that a full disk is told now

    def chunks(self) -> Iterator[_Columns]:
        """Yield the columns, at least so many rows at a time."""
        self.file.seek(0)
        waiting: list[list[np.ndarray]] = []
        start = 1
        for number in range(self.stretches):
            waiting.append([np.load(self.file, allow_pickle=False) for _ in self.names[2:]])
            if sum(len(columns[0]) for columns in waiting) >= AT_LEAST or number == self.stretches - 1:
                whole = [np.concatenate(parts) for parts in zip(*waiting, strict=True)]
                rows = np.arange(start, start + len(whole[0]))
                yield dict(zip(self.names, [np.array([self.system] * len(rows)), rows, *whole], strict=True))
                start, waiting = start + len(rows), []
