"""What students share that compare texts as wholes: raw numbers, the best reference, no alignment."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np

from farthing.core.arrays import Segments
from farthing.core.errors import UsageError
from farthing.core.explanation import Explanation
from farthing.core.types import Alignment, Note, Pairs
from farthing.students.layout import USUAL, StudentFolder
from farthing.students.student import WINDOWS, PairOptions


class WholeStudent:
    """A student that gives one number for whole texts, on the scale of what it was trained on.

    :param folder: the student's folder
    """

    range: tuple[float | None, float | None] = (None, None)
    explains = False
    called: ClassVar[str]  #: what messages call such a student
    refused: ClassVar[tuple[str, ...]]  #: the options that are for other students

    def __init__(self, folder: Path | StudentFolder, options: PairOptions) -> None:
        self.folder = StudentFolder.read(folder) if isinstance(folder, Path) else folder
        self.options = options
        for name in self.refused:
            if getattr(options, name) != getattr(USUAL, name):
                told = f"{name}={getattr(options, name)}"
                raise UsageError(f"{told} is not for {self.folder.name}, which is {self.called}")
        self.reads, self.against, self.version = self.folder.reads, self.folder.against, self.folder.version

    @cached_property
    def digest(self) -> str:
        """The digest of the weights."""
        return self.folder.digest

    def align(self, candidate: str, reference: str) -> Alignment:
        """Raise: texts are compared as wholes."""
        raise UsageError(f"{self.folder.name} is {self.called} and has no alignment: use a student of the kind match")

    def explain(self, pairs: Pairs) -> list[Explanation]:
        """Raise: texts are compared as wholes."""
        raise UsageError(f"{self.folder.name} is {self.called} and marks no words: use a student of the kind match")


def best_of_references(count: int, owners: Sequence[int], values: Segments) -> Segments:
    """Return for each of `count` rows the highest of the values that it owns.

    >>> best_of_references(2, [0, 0, 1], np.array([1.0, 3.0, 2.0])).tolist()
    [3.0, 2.0]
    """
    best: Segments = np.full(count, -np.inf)
    np.maximum.at(best, owners, values)
    return best


def long_notes(what: str, limit: int, rows: Iterable[int], *, windows: bool) -> tuple[Note, ...]:
    """Say which rows have texts over the limit, and what was done with them; nothing if there are none.

    :param what: is over the limit: pairs, or texts
    """
    found = tuple(rows)
    if not found:
        return ()
    if windows:
        return (Note(WINDOWS, f"{what} over {limit} tokens were read in windows", found),)
    return (Note("truncated", f"{what} were truncated to {limit} tokens (long=window reads them whole)", found),)
