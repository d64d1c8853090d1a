"""Progress bars: only for a person at a terminal."""

from __future__ import annotations

import io
import sys

import pytest

from farthing.core.progress import no_bar
from farthing.report.progress import bars, shown_bars


class Terminal(io.StringIO):
    """Standard error of a person at a terminal."""

    def isatty(self) -> bool:
        return True


def at_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Replace standard error; not in a fixture, since pytest sets it anew before the test."""
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    return stream


def test_silent_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown_bars(quiet=False) is None
    with bars(quiet=False)("scoring", 3) as progress:
        progress(3)
    assert capsys.readouterr() == ("", "")


def test_silent_if_the_user_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_terminal(monkeypatch)
    assert shown_bars(quiet=True) is None
    assert bars(quiet=True) is no_bar
    with bars(quiet=True)("scoring", 3) as progress:
        progress(3)
    assert terminal.getvalue() == ""


@pytest.mark.parametrize(("total", "shown"), [(3, "2/3"), (None, "2/?")])
def test_a_terminal_sees_title_and_count(
    total: int | None, shown: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = at_terminal(monkeypatch)
    with bars(quiet=False)("scoring", total) as progress:
        progress(1)
        progress(1)
    assert "scoring" in terminal.getvalue()
    assert shown in terminal.getvalue()
    assert capsys.readouterr().out == ""  # results go there


def test_an_error_passes_through_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_terminal(monkeypatch)
    with pytest.raises(KeyError), bars(quiet=False)("scoring", 3):
        raise KeyError
    assert terminal.getvalue().endswith("\x1b[2K")  # the bar is wiped away
