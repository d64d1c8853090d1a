"""Progress: free and silent if nobody watches, exact if somebody does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from farthing.core.progress import (
    Bar,
    Log,
    Progress,
    counted,
    no_bar,
    phase,
    silent,
    silent_log,
    step,
    timing_steps,
    watched,
    watching,
)


class Watcher:
    """Takes down every phase: its title, its total and what it reported."""

    def __init__(self) -> None:
        self.phases: list[tuple[str, int | None, list[int]]] = []
        self.open: list[str] = []

    @contextmanager
    def __call__(self, title: str, total: int | None = None) -> Iterator[Progress]:
        told: list[int] = []
        self.phases.append((title, total, told))
        self.open.append(title)
        try:
            yield told.append
        finally:
            assert self.open.pop() == title  # what was opened last is closed first


def test_nothing_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    bar: Bar = no_bar
    log: Log = silent_log
    log("a line")
    with bar("encoding", None) as progress:
        tell: Progress = progress
        tell(3)
    silent(1)
    with phase("scoring", 3) as progress:
        progress(1)
    assert capsys.readouterr() == ("", "")


def test_an_error_inside_a_bar_is_not_swallowed() -> None:
    with pytest.raises(ZeroDivisionError), no_bar("work", 1):
        raise ZeroDivisionError


def test_items_are_returned_as_they_are_if_nobody_watches() -> None:
    items = ["a", "b"]
    assert watched() is None
    assert counted("reading", items) is items


def test_who_watches_sees_every_phase_and_only_inside() -> None:
    watcher = Watcher()
    with watching(watcher):
        assert watched() is watcher
        with watching(None), phase("scoring", 2) as progress:  # None leaves it to who watches already
            assert list(counted("encoding", ["a", "b"])) == ["a", "b"]
            assert list(counted("encoding", iter("abc"), 3)) == list("abc")
            progress(2)
    assert watched() is None
    assert watcher.phases == [("scoring", 2, [2]), ("encoding", 2, [1, 1]), ("encoding", 3, [1, 1, 1])]
    assert watcher.open == []


def test_an_inner_watcher_is_followed_by_the_outer_one_again() -> None:
    outer, inner = Watcher(), Watcher()
    with watching(outer):
        with pytest.raises(KeyError), watching(inner):
            raise KeyError
        with phase("after", None):
            pass
    assert [title for title, _, _ in outer.phases] == ["after"]
    assert inner.phases == []


def test_steps_are_timed_only_inside_and_by_name() -> None:
    taken: list[str] = []

    @contextmanager
    def timer(name: str) -> Iterator[None]:
        taken.append(f"begin {name}")
        yield
        taken.append(f"end {name}")

    with step("encode"):
        pass
    with timing_steps(timer), step("align"):
        taken.append("working")
    with step("tokenise"):
        pass
    assert taken == ["begin align", "working", "end align"]
