"""Commands from typed functions, on argparse alone: a command line that scores cheaply must start cheaply.

A command is a function whose parameters say how they are given:

    def greet(name: Annotated[str, Argument(help="Whom.")], loud: Annotated[bool, Option("--loud")] = False): ...

    run(greet, ["Ann", "--loud"], "greet")

Text, numbers, paths, choices (`Literal`), flags (`bool`) and lists (an option that may be given again, or an
argument that takes several values) are known; `X | None` is an X that may be left out. A group of
sub-commands is a :class:`Commands`. Help texts are the docstrings.
"""

from __future__ import annotations

import argparse
import inspect
import types
import typing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Annotated, Any, Literal, NoReturn, TypeAlias, Union, get_args, get_origin

from farthing.core.errors import UnknownName, UsageError

Command: TypeAlias = Callable[..., "str | None"]  #: a function that returns what it prints, if anything


class Option:
    """A parameter that is given by a flag; without flags it is `--its-name`."""

    def __init__(self, *flags: str, help: str = "", min: float | None = None, max: float | None = None) -> None:
        self.flags, self.help, self.min, self.max = flags, help, min, max


class Argument(Option):
    """A parameter that is given by its place."""


@dataclass
class Commands:
    """A group of sub-commands by name."""

    help: str = ""
    members: dict[str, Command] = field(default_factory=dict)

    def command(self, name: str) -> Callable[[Command], Command]:
        """Register a function under a name."""

        def keep(function: Command) -> Command:
            self.members[name] = function
            return function

        return keep


class Parser(argparse.ArgumentParser):
    """An argparse parser that raises instead of printing usage and leaving."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} ({self.prog} --help shows the options)")


def run(command: Command | Commands, arguments: Sequence[str], program: str) -> str | None:
    """Run a command, or the sub-command that the first argument names; what it returns is what it prints."""
    if isinstance(command, Commands):
        return run_group(command, arguments, program)
    parser, positions = build(command, program)
    _check_flags(parser, arguments)
    given = {name: _within(name, value, positions[name]) for name, value in vars(parser.parse_args(arguments)).items()}
    for name, kind in groups_of(command).items():
        given[name] = kind(**{field.name: given.pop(field.name) for field in fields(kind)})
    return command(**given)


def _check_flags(parser: Parser, arguments: Sequence[str]) -> None:
    """Name an unknown flag before anything else is found missing."""
    known = [flag for flag in parser._option_string_actions if flag.startswith("--")]
    for argument in arguments:
        if argument == "--":
            return
        flag = argument.partition("=")[0]
        if flag.startswith("--") and flag not in known:
            raise UnknownName(f"option of {parser.prog}", flag, known)


def run_group(group: Commands, arguments: Sequence[str], program: str) -> str | None:
    """Run one of several sub-commands, or list them."""
    if not arguments or arguments[0] in ("-h", "--help"):
        listing = {name: _summary(function) for name, function in group.members.items()}
        print_listing(group.help, listing, program)
        return None
    name, *rest = arguments
    if name not in group.members:
        raise UnknownName(f"command of {program}", name, group.members)
    return run(group.members[name], rest, f"{program} {name}")


def print_listing(summary: str, commands: dict[str, str], program: str) -> None:
    """A group's help: its commands, one line each."""
    parser = Parser(prog=program, description=summary, add_help=False, usage=f"{program} COMMAND [OPTIONS]")
    names = parser.add_argument_group("commands")
    for name, text in commands.items():
        names.add_argument(name, help=text.replace("%", "%%"), nargs="?")
    parser.print_help()


def _summary(function: Command) -> str:
    return (inspect.getdoc(function) or "").split("\n")[0]


def build(function: Command, program: str) -> tuple[Parser, dict[str, Option]]:
    """The parser of one command, and how each of its parameters was declared."""
    parser = Parser(
        prog=program,
        description=inspect.getdoc(function),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    declared = {}
    for parameter in _parameters(function, groups_of(function)):
        hint = parameter.annotation
        option = next((note for note in get_args(hint) if isinstance(note, Option)), Option())
        kind = get_args(hint)[0] if get_origin(hint) is Annotated else hint
        _add(parser, parameter, kind, option)
        declared[parameter.name] = option
    return parser, declared


def groups_of(function: Command) -> dict[str, type[Any]]:
    """The parameters that are groups of options: dataclasses whose fields are options in their own right."""
    hints = typing.get_type_hints(function, include_extras=True)
    return {name: kind for name, kind in hints.items() if is_dataclass(kind) and isinstance(kind, type)}


def _parameters(owner: Command | type[Any], groups: dict[str, type[Any]]) -> Iterator[inspect.Parameter]:
    """The options of a function or a group, with those of inner groups in their places."""
    hints = typing.get_type_hints(owner, include_extras=True)
    for parameter in inspect.signature(owner).parameters.values():
        if parameter.name in groups:
            yield from _parameters(groups[parameter.name], {})
        else:
            yield parameter.replace(annotation=hints[parameter.name])


def _add(parser: Parser, parameter: inspect.Parameter, kind: Any, option: Option) -> None:
    required = parameter.default is parameter.empty
    settings: dict[str, Any] = {"help": _help(option, parameter.default, required)}
    kind = _without_none(kind)
    many = get_origin(kind) is list
    kind = get_args(kind)[0] if many else kind
    if kind is bool:
        settings["action"] = argparse.BooleanOptionalAction if parameter.default is True else "store_true"
    elif get_origin(kind) is Literal:
        settings |= {"choices": get_args(kind), "metavar": "|".join(map(str, get_args(kind)))}
    else:
        settings["type"] = kind
    if isinstance(option, Argument):
        settings["nargs"] = ("+" if required else "*") if many else (None if required else "?")
        parser.add_argument(parameter.name, default=None if required else parameter.default, **settings)
        return
    if many:
        settings["action"] = "append"
    flags = option.flags or (f"--{parameter.name.replace('_', '-')}",)
    if kind is not bool:
        settings.setdefault("metavar", "TEXT" if kind is str else kind.__name__.upper())
    default = None if required else parameter.default
    parser.add_argument(*flags, dest=parameter.name, required=required, default=default, **settings)


def _help(option: Option, default: Any, required: bool) -> str:
    text = option.help.replace("%", "%%")
    if required or default is None or default is False or default == "":
        return text
    shown = str(default).replace("%", "%%")
    return f"{text} (default: {shown})"


def _without_none(kind: Any) -> Any:
    if get_origin(kind) in (Union, types.UnionType):
        [kind] = [inner for inner in get_args(kind) if inner is not type(None)]
    return kind


def _within(name: str, value: Any, option: Option) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    flag = (option.flags or (name,))[-1]
    if option.min is not None and value < option.min:
        raise UsageError(f"{flag} {value} must be at least {option.min:g}")
    if option.max is not None and value > option.max:
        raise UsageError(f"{flag} {value} must be at most {option.max:g}")
    return value
