"""How long-running work reports its progress, without knowing who displays it, or whether anybody does.

Work says what it is doing with :func:`phase` or :func:`counted`. Whoever wants to see it, such as the command line,
does the work inside :func:`watching`. If nobody watches, reporting costs next to nothing.

Scoring also says which of its steps it is in, with :func:`step`; `farthing bench` does its work inside
:func:`timing_steps` to learn how long each of them takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import Literal, TypeAlias, TypeVar

Progress: TypeAlias = Callable[[int], None]  #: called with the number of items finished since the last call
Bar: TypeAlias = Callable[[str, int | None], AbstractContextManager[Progress]]  #: opens a bar with a title and a total
Step: TypeAlias = Literal["tokenise", "encode", "align"]  #: what a metric over an encoder does, in this order
StepTimer: TypeAlias = Callable[[Step], AbstractContextManager[None]]  #: a context that lasts as long as the step
Log: TypeAlias = Callable[[str], None]  #: called with one line of text for the user

_Item = TypeVar("_Item")
_WATCHING: ContextVar[Bar | None] = ContextVar("watching", default=None)
_TIMING: ContextVar[StepTimer | None] = ContextVar("timing", default=None)
_UNTIMED = nullcontext()


class Stopped(KeyboardInterrupt):
    """The user has interrupted work that the same call resumes; the message tells what is kept."""


def silent(done: int) -> None:
    """Report nothing."""


def silent_log(line: str) -> None:
    """Print nothing."""


@contextmanager
def no_bar(title: str, total: int | None = None) -> Iterator[Progress]:
    """Open a bar that shows nothing."""
    yield silent


@contextmanager
def watching(bar: Bar | None) -> Iterator[None]:
    """Show the progress of all that is done inside; None leaves it to who watches already."""
    if bar is None:
        yield
        return
    token = _WATCHING.set(bar)
    try:
        yield
    finally:
        _WATCHING.reset(token)


def watched() -> Bar | None:
    """Return what opens a bar, if somebody watches."""
    return _WATCHING.get()


def phase(title: str, total: int | None = None) -> AbstractContextManager[Progress]:
    """Begin a phase of the work, such as "encoding"; the progress that it gives is called with what was done.

    :param total: how many items there are, if that is known
    """
    return (_WATCHING.get() or no_bar)(title, total)


def counted(title: str, items: Iterable[_Item], total: int | None = None) -> Iterable[_Item]:
    """Return the items as they are; if somebody watches, each is reported as done when the next one is asked for."""
    if _WATCHING.get() is None:
        return items
    return _counted(title, items, len(items) if total is None and isinstance(items, Sized) else total)


def _counted(title: str, items: Iterable[_Item], total: int | None) -> Iterator[_Item]:
    with phase(title, total) as progress:
        for item in items:
            yield item
            progress(1)


@contextmanager
def timing_steps(timer: StepTimer) -> Iterator[None]:
    """Tell a timer about every step that is taken inside, in this thread only."""
    token = _TIMING.set(timer)
    try:
        yield
    finally:
        _TIMING.reset(token)


def step(name: Step) -> AbstractContextManager[None]:
    """Say that the work inside is one step of scoring."""
    timer = _TIMING.get()
    return _UNTIMED if timer is None else timer(name)
