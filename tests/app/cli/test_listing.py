"""The list of the commands of a group."""

from __future__ import annotations

import pytest

from farthing.app.cli.listing import print_listing


def test_one_line_per_command(capsys: pytest.CaptureFixture[str]) -> None:
    print_listing("About 100 % of it.", {"one": "The first, 50 %.", "two": ""}, "x")
    text = capsys.readouterr().out
    assert text.startswith("usage: x COMMAND [OPTIONS]")
    assert "About 100 % of it." in text
    assert "  one  The first, 50 %." in text
