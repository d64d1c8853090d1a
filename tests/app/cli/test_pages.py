"""Every command as data: all are there, and each example is a line that bash and the parser accept."""

from __future__ import annotations

import re
import shlex
import subprocess

import pytest

from farthing.app.cli.main import COMMANDS
from farthing.app.cli.pages import CommandPage, command_pages
from farthing.app.cli.typed import Commands, build

PAGES = list(command_pages(COMMANDS.builtin))
LEAVES = [page for page in PAGES if not page.commands]


def found(page: CommandPage):
    _, name, *inner = page.name.split()
    command = COMMANDS.get(name)
    return command.members[inner[0]] if isinstance(command, Commands) and inner else command


def test_all_commands_have_a_page() -> None:
    names = [page.name for page in PAGES]
    assert {f"farthing {name}" for name in COMMANDS.builtin} <= set(names)
    assert {"farthing learn pairs", "farthing meta correlate", "farthing models info"} <= set(names)
    assert len(names) == len(set(names))


@pytest.mark.parametrize("page", LEAVES, ids=lambda page: page.name)
def test_a_page_holds_what_the_parser_knows(page: CommandPage) -> None:
    parser, _ = build(found(page), page.name)
    flags = {flag for option in page.options for flag in option.flags}
    assert flags | {"-h", "--help"} == set(parser._option_string_actions)
    assert page.summary.endswith((".", "?"))
    assert [option.name for option in page.options if not option.help] == []


@pytest.mark.parametrize("page", LEAVES, ids=lambda page: page.name)
def test_every_command_has_examples_that_can_be_pasted(page: CommandPage) -> None:
    assert page.examples
    for example in page.examples:
        assert subprocess.run(["bash", "-n", "-c", example], check=False).returncode == 0
        assert example.startswith(f"{page.name} ") or example == page.name
        arguments = shlex.split(re.split(" >>? ", example)[0])[len(page.name.split()) :]
        assert "…" not in example
        parser, _ = build(found(page), page.name)
        parser.parse_args(arguments)


def test_options_say_how_they_are_given() -> None:
    [score] = command_pages(["score"])
    options = {option.name: option for option in score.options}
    assert options["systems"].is_argument
    assert options["systems"].several
    assert options["metrics"].flags == ("-m", "--metrics")
    assert options["metrics"].default == "frugalscore"
    assert options["metrics"].several
    assert options["metrics"].completes == "metric"
    assert options["output_format"].choices == ("table", "json", "csv", "latex", "markdown")
    assert options["ci"].value == ""
