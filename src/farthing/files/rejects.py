"""Rows that cannot be read: the first one stops the work, or all of them are skipped and kept with their reasons.

Inside :func:`skipping`, readers give a broken row its place, so that the files of several systems stay in step; whoever
puts rows together leaves it out and notes it. Outside, a broken row is an error.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from farthing.core.columns import InputRow
from farthing.core.errors import InputError
from farthing.files.write import replacing

MOST_CONTENT = 2000  # characters of a broken row that are kept


@dataclass(frozen=True, slots=True)
class Reject:
    """A row that cannot be used.

    :param file: the file that it stands in
    :param line: its line (or row) there, from 1
    :param reason: what is wrong with it
    :param content: what stands there, or the beginning of it
    """

    file: str
    line: int
    reason: str
    content: str = ""


class BrokenRecord(dict[str, Any]):
    """Stands in the place of a record that cannot be read."""

    def __init__(self, reject: Reject) -> None:
        super().__init__()
        self.reject = reject


class BrokenLine(str):
    """Stands in the place of a line that cannot be read."""

    reject: Reject


class Rejects:
    """The rows that were skipped.

    An input may be read several times, and not always to its end; the first complete reading counts.

    :param needs: what every row must have besides its candidate: a reference, a source
    """

    def __init__(self, needs: frozenset[str] = frozenset()) -> None:
        self.needs = needs
        self.count, self.complete = 0, False
        self.aside: list[Reject] = []  # of tables that are read once, before the reading of rows begins
        self.first: Reject | None = None
        self._spool = tempfile.TemporaryFile("w+b", prefix="farthing-")  # noqa: SIM115  there may be any number of them

    def begin(self) -> None:
        """Say that a reading begins."""
        if not self.complete:
            self._spool.seek(0)
            self._spool.truncate()
            self.count, self.first = 0, None
            for reject in self.aside:
                self.add(reject)

    def add(self, reject: Reject) -> None:
        """Keep a row that was skipped."""
        if self.complete:
            return
        self.first = self.first or reject
        self.count += 1
        entry = {"file": reject.file, "line": reject.line, "reason": reject.reason, "content": reject.content}
        self._spool.write(json.dumps(entry, ensure_ascii=True).encode() + b"\n")

    def end(self) -> None:
        """Say that a reading came to its end."""
        self.complete = True

    def kept(self, rows: Iterable[tuple[InputRow, ...]], file: str) -> Iterator[tuple[InputRow, ...]]:
        """Yield the rows of all systems that can be used, and take down the others.

        :param file: what messages call the input if a row lacks something
        """
        self.begin()
        for number, entry in enumerate(rows, start=1):
            reject = next((row.broken for row in entry if row.broken), None) or self._lacking(entry, number, file)
            if isinstance(reject, Reject):
                self.add(reject)
            else:
                yield entry
        self.end()

    def _lacking(self, entry: Sequence[InputRow], number: int, file: str) -> Reject | None:
        for row in entry:
            if "reference" in self.needs and not row.references:
                return Reject(file, number, "has no reference", row.candidate[:MOST_CONTENT])
            if "source" in self.needs and row.source is None:
                return Reject(file, number, "has no source", row.candidate[:MOST_CONTENT])
        return None

    def __str__(self) -> str:
        first = f"{self.first.file}:{self.first.line}: {self.first.reason}" if self.first else ""
        rows = "1 row was" if self.count == 1 else f"{self.count} rows were"
        return f"{rows} skipped ({'' if self.count == 1 else 'the first is '}{first})"

    def close(self) -> None:
        """Forget the rows."""
        self._spool.close()

    def write(self, path: Path) -> None:
        """Write one JSON object per row; if no row was skipped, remove what an earlier run has left."""
        if not self.count:
            path.unlink(missing_ok=True)
            return
        self._spool.seek(0)
        with replacing(path) as stream:
            shutil.copyfileobj(self._spool, stream)


#: what collects broken rows; None if the first one is to stop the work
SKIPPING: ContextVar[Rejects | None] = ContextVar("skipping", default=None)


@contextmanager
def skipping(rejects: Rejects | None) -> Iterator[None]:
    """Skip broken rows that are read inside, and forget them at the end; None stops at the first."""
    token = SKIPPING.set(rejects)
    try:
        yield
    finally:
        SKIPPING.reset(token)
        if rejects is not None:
            rejects.close()


def broken(path: str, line: int, problem: str, *, remedy: str = "", content: object = "") -> BrokenRecord:
    """Return what stands in the place of a broken record; raise the error if broken rows are not skipped."""
    if SKIPPING.get() is None:
        raise InputError(problem, path=path, line=line, remedy=remedy)
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, default=str)
    return BrokenRecord(Reject(path, line, problem, text[:MOST_CONTENT]))


def broken_line(path: str, line: int, raw: bytes, position: int) -> BrokenLine:
    """Return what stands in the place of a line that is not UTF-8; raise the error if such lines are not skipped."""
    problem = f"not UTF-8: byte 0x{raw[position]:02x} at position {position + 1} of the line"
    remedy = "convert the file to UTF-8, for example with iconv"
    text = BrokenLine(raw.decode("utf-8", errors="replace"))
    text.reject = broken(path, line, problem, remedy=remedy, content=str(text)).reject
    return text


def aside(reject: object) -> None:
    """Take down a broken row of a table that is held in memory."""
    rejects = SKIPPING.get()
    if rejects is not None and isinstance(reject, Reject):
        rejects.aside.append(reject)
