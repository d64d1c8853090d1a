"""How long work reports what it has done, without knowing who watches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TypeAlias

Progress: TypeAlias = Callable[[int], None]  #: is told how many more items are done
Bar: TypeAlias = Callable[[str, int | None], AbstractContextManager[Progress]]  #: opens a bar: its title, the total
Log: TypeAlias = Callable[[str], None]  #: takes one line for the person who watches


def silent(done: int) -> None:
    """Report nothing."""


def silent_log(line: str) -> None:
    """Say nothing."""


@contextmanager
def no_bar(title: str, total: int | None = None) -> Iterator[Progress]:
    """Open a bar that shows nothing."""
    yield silent
