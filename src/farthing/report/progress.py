"""Progress on standard error: bars at a terminal, lines of text elsewhere, and only if somebody wants to see it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from farthing.core.progress import Bar, Progress, no_bar

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

FORCED = "FARTHING_PROGRESS"  #: the environment variable: 1 shows progress everywhere, 0 nowhere
DELAY = 0.5  # seconds: what is done by then needs no bar
EVERY = 0.2  # seconds between two changes of a bar
LINES_EVERY = 10.0  # seconds between two lines of text


def shown_bars(quiet: bool) -> Bar | None:
    """Return what shows progress to a person at a terminal; None if nobody watches."""
    forced = os.environ.get(FORCED, "")
    if quiet or forced == "0" or not (forced or sys.stderr.isatty()):
        return None
    return requested_bars()


def bars(quiet: bool) -> Bar:
    """Return the same, or bars that show nothing if nobody watches."""
    return shown_bars(quiet) or no_bar


def requested_bars() -> Bar:
    """Return what shows progress because the caller asks for it: bars at a terminal, lines of text elsewhere."""
    if sys.stderr.isatty():
        return _TERMINAL
    return _Lines("\r", 1.0) if "ipykernel" in sys.modules else _Lines("", LINES_EVERY)


class _Terminal:
    """Bars of the outermost and the innermost phase, wiped away in the end.

    There is one display for all, since phases of different callers may be open inside each other.
    """

    def __init__(self) -> None:
        self._display: RichProgress | None = None
        self._open: list[_Phase] = []
        self._began = 0.0

    @contextmanager
    def __call__(self, title: str, total: int | None = None) -> Iterator[Progress]:
        """Open a phase."""
        self._began = self._began if self._open else time.monotonic()
        one = _Phase(title, total)
        self._open.append(one)
        self._show()
        try:
            yield lambda done: self._advance(one, done)
        finally:
            self._close(one)

    def _advance(self, one: _Phase, done: int) -> None:
        one.done += done
        now = time.monotonic()
        if now - one.told < EVERY:
            return
        one.told = now
        self._show()
        if self._display is not None and one.task is not None:
            self._display.update(one.task, completed=one.done, refresh=True)

    def _show(self) -> None:
        """Draw the phases that are open, once they have been so for a while."""
        if self._display is None:
            if time.monotonic() - self._began < DELAY:
                return
            self._display = _display()
            self._display.start()
        ends = (self._open[0], self._open[-1])
        for one in self._open:
            same = one is not ends[0] and one.title == ends[0].title
            visible = one in ends and not same
            if one.task is None:
                one.task = self._display.add_task(one.title, total=one.total, completed=one.done, visible=visible)
            else:
                self._display.update(one.task, visible=visible)

    def _close(self, one: _Phase) -> None:
        self._open.remove(one)
        if self._display is None:
            return
        if one.task is not None and self._open:
            self._display.remove_task(one.task)
            self._show()
        if not self._open:
            self._display.stop()
            self._display = None


class _Phase:
    """A phase that is open."""

    def __init__(self, title: str, total: int | None) -> None:
        self.title, self.total, self.done = title, total, 0
        self.told = 0.0  # when its progress was last shown
        self.task: TaskID | None = None


_TERMINAL = _Terminal()


def _display() -> RichProgress:
    from rich import progress
    from rich.console import Console

    columns = (
        progress.TextColumn("{task.description}"),
        progress.BarColumn(bar_width=20),
        progress.MofNCompleteColumn(),
        progress.TimeElapsedColumn(),
        progress.TextColumn("left:"),
        progress.TimeRemainingColumn(),
    )
    # what others write to standard error meanwhile is printed above the bars; standard output is not ours
    return progress.Progress(
        *columns, console=Console(stderr=True), transient=True, refresh_per_second=4, redirect_stdout=False
    )


class _Lines:
    """One line of text now and then, for logs and notebooks.

    :param begin: what each line begins with: "\\r" writes it over the line before
    """

    def __init__(self, begin: str, every: float) -> None:
        self.begin, self.every, self.told = begin, every, time.monotonic()

    @contextmanager
    def __call__(self, title: str, total: int | None = None) -> Iterator[Progress]:
        """Open a phase."""
        began, count = time.monotonic(), 0

        def advance(done: int) -> None:
            nonlocal count
            count += done
            now = time.monotonic()
            if now - self.told >= self.every:
                self.told = now
                self._write(_line(title, count, total, now - began))

        try:
            yield advance
        finally:
            if self.begin:
                self._write("")

    def _write(self, text: str) -> None:
        sys.stderr.write(f"{self.begin}{text:<79}" if self.begin else f"{text}\n")
        sys.stderr.flush()


def _line(title: str, done: int, total: int | None, seconds: float) -> str:
    """Say how far a phase is, and how long the rest will take at this pace.

    >>> _line("encoding", 250, 1000, 60), _line("reading", 5, None, 3)
    ('encoding 250/1,000, 0:01:00, left: 0:03:00', 'reading 5, 0:00:03')
    """
    from datetime import timedelta

    elapsed = timedelta(seconds=round(seconds))
    if total is None:
        return f"{title} {done:,}, {elapsed}"
    left = timedelta(seconds=round(seconds / done * max(total - done, 0))) if done else "?"
    return f"{title} {done:,}/{total:,}, {elapsed}, left: {left}"
