"""Every command with its options, as data: what the reference page and the completion of shells are made from."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from farthing.app.cli.main import COMMANDS
from farthing.app.cli.typed import Command, Commands, Completes, Declared, build, documented


@dataclass(frozen=True, slots=True)
class OptionPage:
    """One option, or one argument that is given by its place.

    :param flags: how it is given; nothing for an argument
    :param value: what stands for its value in help texts; nothing for a switch
    :param default: its default as text; nothing if there is none
    :param choices: all values, if they are few
    :param several: it takes several values, or may be given again
    :param completes: what kind of value a shell should offer
    """

    name: str
    flags: tuple[str, ...]
    value: str
    help: str
    default: str
    choices: tuple[str, ...]
    required: bool
    several: bool
    completes: Completes

    @property
    def is_argument(self) -> bool:
        """Whether it is given by its place."""
        return not self.flags


@dataclass(frozen=True, slots=True)
class CommandPage:
    """One command, or a group of commands.

    :param name: all that is typed before the options, such as "farthing learn pairs"
    :param summary: one line
    :param text: what else the help says
    :param examples: commands to try, as they are typed into a shell
    :param commands: the names of the commands of a group
    """

    name: str
    summary: str
    text: str
    examples: tuple[str, ...]
    options: tuple[OptionPage, ...]
    commands: tuple[str, ...] = ()


def command_pages(names: Iterable[str] | None = None) -> Iterator[CommandPage]:
    """Walk through all commands, or those with these names; a group comes before its commands."""
    for name in COMMANDS.known() if names is None else names:
        yield from _pages(f"farthing {name}", COMMANDS.get(name))


def _pages(name: str, command: Command | Commands) -> Iterator[CommandPage]:
    told = documented(command)
    if isinstance(command, Commands):
        yield CommandPage(name, *told, options=(), commands=tuple(command.members))
        for inner, member in command.members.items():
            yield from _pages(f"{name} {inner}", member)
        return
    parser, declared = build(command, name)
    actions = [action for action in parser._actions if action.dest in declared]
    yield CommandPage(name, *told, options=tuple(_option(action, declared[action.dest]) for action in actions))


def _option(action: argparse.Action, declared: Declared) -> OptionPage:
    option, default = declared
    switch = isinstance(action, argparse.BooleanOptionalAction) or action.nargs == 0
    shown = "" if default is None or default is False or default == "" else str(default)
    return OptionPage(
        name=action.dest,
        flags=tuple(action.option_strings),
        value="" if switch else str(action.metavar or action.dest),
        help=option.help,
        default="yes" if default is True else shown,
        choices=tuple(map(str, action.choices or ())),
        required=action.required,
        several=action.nargs in ("+", "*") or isinstance(action, argparse._AppendAction),
        completes=option.completes,
    )
