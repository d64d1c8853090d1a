"""Progress bars: only for a person at a terminal."""

from __future__ import annotations

import io
import sys

import pytest

from farthing.core.progress import no_bar
from farthing.report import progress as progress_bars
from farthing.report.progress import bars, requested_bars, shown_bars

WIPED = "\x1b[2K"  # the last line is erased


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


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show everything, however short."""
    monkeypatch.setattr(progress_bars, "DELAY", 0.0)
    monkeypatch.setattr(progress_bars, "EVERY", 0.0)


@pytest.mark.parametrize(("total", "shown"), [(3, "2/3"), (None, "2/?")])
@pytest.mark.usefixtures("at_once")
def test_a_terminal_sees_title_and_count(
    total: int | None, shown: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = at_terminal(monkeypatch)
    with bars(quiet=False)("scoring", total) as progress:
        progress(1)
        progress(1)
    assert "scoring" in terminal.getvalue()
    assert shown in terminal.getvalue()
    assert "left:" in terminal.getvalue()
    assert capsys.readouterr().out == ""  # results go there


@pytest.mark.usefixtures("at_once")
def test_an_error_passes_through_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_terminal(monkeypatch)
    with pytest.raises(KeyError), bars(quiet=False)("scoring", 3):
        raise KeyError
    assert terminal.getvalue().endswith(WIPED)  # the bar is wiped away


@pytest.mark.usefixtures("at_once")
def test_phases_inside_each_other_share_one_display(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_terminal(monkeypatch)
    with bars(quiet=False)("scoring", 10) as outer:
        with bars(quiet=False)("chrf", 5) as middle, bars(quiet=False)("encoding", 7) as inner:
            inner(7)
            middle(5)
        outer(10)
        sys.stderr.write("a remark\n")
        with bars(quiet=False)("scoring", 99) as same:
            same(1)
    text = terminal.getvalue()
    assert all(shown in text for shown in ("10/10", "7/7", "a remark"))
    assert "/99" not in text  # a phase of the same title is not shown twice
    assert text.endswith(WIPED)


def test_short_work_needs_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_bars, "DELAY", 1e9)
    terminal = at_terminal(monkeypatch)
    with bars(quiet=False)("scoring", 3) as progress:
        progress(3)
    assert terminal.getvalue() == ""


def test_lines_of_text_where_there_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress_bars, "LINES_EVERY", 0.0)
    monkeypatch.setenv("FARTHING_PROGRESS", "1")
    with bars(quiet=False)("encoding", 2000) as progress:
        progress(1000)
    found = capsys.readouterr()
    assert found.out == ""
    assert found.err.startswith("encoding 1,000/2,000, 0:00:00, left: ")
    assert "\r" not in found.err
    monkeypatch.setenv("FARTHING_PROGRESS", "0")
    assert shown_bars(quiet=False) is None
    at_terminal(monkeypatch)
    assert shown_bars(quiet=False) is None


def test_a_notebook_sees_one_line_that_changes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ipykernel", sys)
    bar = requested_bars()
    bar.every = 0.0  # type: ignore[attr-defined]
    with bar("encoding", 10) as progress:
        progress(5)
        progress(5)
    text = capsys.readouterr().err
    assert "\n" not in text
    assert [part.split(",")[0].strip() for part in text.split("\r")] == ["", "encoding 5/10", "encoding 10/10", ""]
