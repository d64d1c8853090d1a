"""How long-running work reports its progress, without knowing who displays it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TypeAlias

Progress: TypeAlias = Callable[[int], None]  #: called with the number of items finished since the last call
Bar: TypeAlias = Callable[[str, int | None], AbstractContextManager[Progress]]  #: opens a bar with a title and a total
Log: TypeAlias = Callable[[str], None]  #: called with one line of text for the user


def silent(done: int) -> None:
    """Report nothing."""


def silent_log(line: str) -> None:
    """Print nothing."""


@contextmanager
def no_bar(title: str, total: int | None = None) -> Iterator[Progress]:
    """Open a bar that shows nothing."""
    yield silent
