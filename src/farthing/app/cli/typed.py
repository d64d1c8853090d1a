"""Commands from typed functions, on argparse alone: a command line that scores cheaply must start cheaply.

A command is a function whose parameters say how they are given:

    def greet(name: Annotated[str, Argument(help="Whom.")], loud: Annotated[bool, Option("--loud")] = False): ...

    run(greet, ["Ann", "--loud"], "greet")

Text, numbers, paths, choices (`Literal`), flags (`bool`) and lists (an option that may be given again, or an
argument that takes several values) are known; `X | None` is an X that may be left out. A group of
sub-commands is a :class:`Commands`. Help texts are the docstrings: one line, more lines, then lines of examples after
"Example:" or "Examples:".
"""

from __future__ import annotations

import argparse
import inspect
import os
import sys
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Annotated, Any, Literal, NamedTuple, NoReturn, TypeAlias, Union, get_args, get_origin

from farthing.core.errors import UnknownName, UsageError
from farthing.core.progress import watching

Command: TypeAlias = Callable[..., "str | None"]  #: a function that returns what it prints, if anything


Completes: TypeAlias = Literal["file", "metric", "model", "command", ""]  #: what a shell offers for a value


class Option:
    """A parameter that is given by a flag; without flags it is `--its-name`.

    :param joined: it may be given again; the texts are joined by commas
    :param completes: what a shell offers for its value; choices are offered anyway
    :param also: flags that other programs have for the same thing; they get a hint
    :param file_flag: for an option that names a column: the flag that takes a file ("" if a file has no flag), for a
        hint if the value turns out to be a file
    """

    def __init__(
        self,
        *flags: str,
        help: str = "",
        min: float | None = None,
        max: float | None = None,
        joined: bool = False,
        completes: Completes = "",
        also: Sequence[str] = (),
        file_flag: str | None = None,
    ) -> None:
        self.flags, self.help, self.min, self.max = flags, help, min, max
        self.joined, self.completes, self.also, self.file_flag = joined, completes, also, file_flag


class Argument(Option):
    """A parameter that is given by its place."""


class Declared(NamedTuple):
    """How a parameter was declared, and its default (None if it must be given)."""

    option: Option
    default: object


class Documented(NamedTuple):
    """What the docstring of a command says: one line, the other lines, and commands to try."""

    summary: str
    text: str
    examples: tuple[str, ...]


class Answer(str):
    """What a command prints if its exit code is not 0.

    >>> Answer("no", 1).code
    1
    """

    code: int

    def __new__(cls, text: str, code: int) -> Answer:
        """Give a text its exit code."""
        answer = super().__new__(cls, text)
        answer.code = code
        return answer


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
    parser, declared = build(command, program)
    _check_flags(parser, declared, arguments)
    parsed = vars(parser.parse_args(arguments))
    given = {name: _checked(name, value, declared[name]) for name, value in parsed.items()}
    quiet = bool(given.get("quiet"))
    groups = {
        name: kind(**{field.name: given.pop(field.name) for field in fields(kind)})
        for name, kind in groups_of(command).items()
    }
    with _progress_shown(quiet), ExitStack() as stack:
        for group in groups.values():
            # A group of options may say inside of what the command is run, unless all of them have their defaults.
            if hasattr(group, "around") and group != type(group)():
                stack.enter_context(group.around())
        return command(**given, **groups)


def _progress_shown(quiet: bool) -> AbstractContextManager[None]:
    """Show the progress of a command to a person at a terminal, unless the command has --quiet and got it."""
    if quiet or not (sys.stderr.isatty() or "FARTHING_PROGRESS" in os.environ):
        return nullcontext()
    from farthing.report.progress import shown_bars

    return watching(shown_bars(quiet))


def _check_flags(parser: Parser, declared: Mapping[str, Declared], arguments: Sequence[str]) -> None:
    """Name an unknown flag before anything else is found missing."""
    known = [flag for flag in parser._option_string_actions if flag.startswith("--")]
    for argument in arguments:
        if argument == "--":
            return
        flag = argument.partition("=")[0]
        if flag.startswith("--") and flag not in known:
            raise _hint(parser.prog, flag, declared) or UnknownName(f"option of {parser.prog}", flag, known)


def _hint(program: str, flag: str, declared: Mapping[str, Declared]) -> UsageError | None:
    """Say what another program's flag is called here, if that is known."""
    options = [one.option for one in declared.values()]
    meant = next((option for option in options if flag in option.also), None)
    if meant is None:
        return None
    if isinstance(meant, Argument):
        return UsageError(f"{program} has no {flag}: give the file by its place, without a flag: {program} FILE …")
    columns = [option.flags[-1] for option in options if option.file_flag and option.file_flag == meant.flags[0]]
    about = f" ({columns[0]} names a column of a table)" if columns else ""
    return UsageError(f"{program} has no {flag}; did you mean {meant.flags[0]}?{about}")


def run_group(group: Commands, arguments: Sequence[str], program: str) -> str | None:
    """Run one of several sub-commands, or list them."""
    if not arguments or arguments[0] in ("-h", "--help"):
        from farthing.app.cli.listing import print_listing

        listing = {name: documented(function).summary for name, function in group.members.items()}
        print_listing(group.help, listing, program)
        return None
    name, *rest = arguments
    if name not in group.members:
        raise UnknownName(f"command of {program}", name, group.members)
    return run(group.members[name], rest, f"{program} {name}")


def documented(command: Command | Commands) -> Documented:
    """Read the help texts of a command from its docstring.

    >>> documented(Commands("A group.")).summary
    'A group.'
    """
    if isinstance(command, Commands):
        return Documented(command.help, "", ())
    lines = (inspect.getdoc(command) or "").splitlines()
    start = next((place for place, line in enumerate(lines) if line.startswith("Example")), len(lines))
    told = [line.partition(":")[2] if line.startswith("Example") else line for line in lines[start:]]
    return Documented(
        lines[0] if lines else "",
        "\n".join(lines[1:start]).strip(),
        tuple(line.strip() for line in told if line.strip()),
    )


def build(function: Command, program: str) -> tuple[Parser, dict[str, Declared]]:
    """The parser of one command, and how each of its parameters was declared."""
    told = documented(function)
    parser = Parser(
        prog=program,
        description="\n\n".join(filter(None, (told.summary, told.text))),
        epilog="\n  ".join(["examples:", *told.examples]) if told.examples else None,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    declared = {}
    for parameter in _parameters(function, groups_of(function)):
        hint = parameter.annotation
        option = next((note for note in get_args(hint) if isinstance(note, Option)), Option())
        kind = get_args(hint)[0] if get_origin(hint) is Annotated else hint
        _add(parser, parameter, kind, option)
        declared[parameter.name] = Declared(option, None if parameter.default is parameter.empty else parameter.default)
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
    if many or option.joined:
        settings["action"] = "append"
    flags = option.flags or (f"--{parameter.name.replace('_', '-')}",)
    if kind is not bool:
        settings.setdefault("metavar", "TEXT" if kind is str else kind.__name__.upper())
    default = None if required or option.joined else parameter.default
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


def _checked(name: str, value: Any, declared: Declared) -> Any:
    """Return a value as the command takes it, or say what is wrong with it."""
    option = declared.option
    if option.joined:
        return declared.default if value is None else ",".join(value)
    flag = (option.flags or (name,))[-1]
    if option.file_flag is not None and isinstance(value, str) and os.path.isfile(value):
        meant = f"did you mean {option.file_flag} {value}?" if option.file_flag else "give a file without a flag"
        raise UsageError(f"{flag} names a column of a table, but {value} is a file; {meant}")
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    if option.min is not None and value < option.min:
        raise UsageError(f"{flag} {value} must be at least {option.min:g}")
    if option.max is not None and value > option.max:
        raise UsageError(f"{flag} {value} must be at most {option.max:g}")
    return value
