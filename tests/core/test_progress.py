"""Silence takes what bars and logs take."""

from __future__ import annotations

import pytest

from farthing.core.progress import Bar, Log, Progress, no_bar, silent, silent_log


def test_nothing_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    bar: Bar = no_bar
    log: Log = silent_log
    log("a line")
    with bar("encoding", None) as progress:
        tell: Progress = progress
        tell(3)
    silent(1)
    assert capsys.readouterr() == ("", "")


def test_an_error_inside_a_bar_is_not_swallowed() -> None:
    with pytest.raises(ZeroDivisionError), no_bar("work", 1):
        raise ZeroDivisionError
