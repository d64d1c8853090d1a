"""Progress bars: only for a person at a terminal, on standard error, and gone afterwards."""

from __future__ import annotations

import io
import sys

import pytest

from farthing.core.progress import no_bar
from farthing.report.progress import bars, shown_bars


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_nothing_is_shown_if_nobody_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert shown_bars(quiet=False) is None
    assert bars(quiet=False) is no_bar
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert shown_bars(quiet=True) is None


def test_a_bar_counts_on_standard_error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with bars(quiet=False)("scoring", 10) as progress:
        progress(4)
        progress(6)
    assert "scoring" in terminal.getvalue()
    assert "10/10" in terminal.getvalue()
    assert capsys.readouterr().out == ""
