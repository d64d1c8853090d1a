"""`farthing help` shows the same as --help."""

from __future__ import annotations

from contextlib import suppress

import pytest

from farthing.app.cli import main
from farthing.core.errors import UnknownName


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with suppress(SystemExit):
        main._run(list(arguments))
    return capsys.readouterr().out


@pytest.mark.parametrize("command", [[], ["score"], ["learn"], ["learn", "pairs"], ["help"]])
def test_help_is_what_the_switch_prints(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "help", *command)
    assert text == shown(capsys, *command, "--help")
    assert text.startswith("usage: farthing")


def test_an_unknown_command_is_named() -> None:
    with pytest.raises(UnknownName, match="unknown command 'scor'; did you mean 'score'"):
        main._run(["help", "scor"])


def test_the_list_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "help")
    assert all(f"  {name} " in text for name in main.COMMANDS.builtin)
    assert set(main.SUMMARIES) == set(main.COMMANDS.builtin)


def test_both_spellings_of_the_version() -> None:
    assert main._run(["-V"]) == main._run(["--version"])
