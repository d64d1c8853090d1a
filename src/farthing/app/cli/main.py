"""The command `farthing`: finds the sub-command, runs it, and turns errors into one line and an exit code.

A sub-command is one file in this folder and one line in `COMMANDS`. Only the file that is asked for is
imported, so that `farthing score` starts without what `farthing learn` needs.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import typer

from farthing.core.errors import FarthingError, UnknownName
from farthing.core.version import __version__

# name: (where its function or typer app lives, one line for the list of commands)
COMMANDS: dict[str, tuple[str, str]] = {
    "score": ("farthing.app.cli.score:score", "Score systems with one or more metrics."),
    "compare": ("farthing.app.cli.compare:compare", "Compare systems with paired significance tests."),
    "metrics": ("farthing.app.cli.metrics:metrics", "List the metrics, or show one with its options."),
}

# Newer typers carry a click of their own, so its base error is taken from what typer itself exports.
_ParserError: Any = typer.BadParameter.__mro__[2]


def build(wanted: str | None) -> typer.Typer:
    """The application, in which only the wanted sub-command is more than its line in the list."""
    app = typer.Typer(
        name="farthing",
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    for name, (home, summary) in COMMANDS.items():
        found = _imported(home) if name == wanted else _placeholder
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=name, help=summary)
        else:
            app.command(name, help=None if name == wanted else summary)(found)
    return app


def _imported(home: str) -> Any:
    module, _, attribute = home.partition(":")
    return getattr(importlib.import_module(module), attribute)


def _placeholder() -> None:
    """Stands in the list of commands for one that is not called."""


def _version(show: bool) -> None:
    if show:
        typer.echo(f"farthing {__version__}")
        raise typer.Exit


def _root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Show the version."),
) -> None:
    """Cheap, light and fast evaluation of generated text."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line. Exit code 0: done, 2: wrong use or bad input, 1: a failure of ours."""
    arguments = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except FarthingError as error:
        _leave(str(error), 2)
    except _ParserError as error:
        _leave(f"{error.format_message()} (farthing {arguments[0]} --help shows the options)", 2)
    except (typer.Abort, KeyboardInterrupt):
        _leave("stopped", 130)
    except BrokenPipeError:
        _drop_output()  # the reader has gone (say, `| head`): nothing is left to say
        sys.exit(0)
    except OSError as error:
        _leave(f"{error.filename or 'standard output'}: {error.strerror or error}", 2)
    sys.exit(code)


def _run(arguments: list[str]) -> int:
    wanted = arguments[0] if not arguments[0].startswith("-") else None
    if wanted is not None and wanted not in COMMANDS:
        raise UnknownName("command", wanted, COMMANDS)
    result = typer.main.get_command(build(wanted)).main(arguments, prog_name="farthing", standalone_mode=False)
    return result if isinstance(result, int) else 0


def _leave(message: str, code: int) -> NoReturn:
    """One line on standard error, then out."""
    sys.stderr.write(f"farthing: {' '.join(message.split())}\n")
    _drop_output()
    sys.exit(code)


def _drop_output() -> None:
    """What is unflushed cannot be written any more; do not let the interpreter try again at its exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
