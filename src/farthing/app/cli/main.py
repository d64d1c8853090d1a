"""The command `farthing`: finds the sub-command, runs it, and turns errors into one line and an exit code.

A sub-command is one file in this folder and one line in `COMMANDS`. Only the file that is asked for is
imported, so that `farthing score` starts without what `farthing learn` needs.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from farthing.app.cli import typed
from farthing.core.errors import FarthingError, UnknownName
from farthing.core.version import __version__

# name: (where its function or group lives, one line for the list of commands)
COMMANDS: dict[str, tuple[str, str]] = {
    "score": ("farthing.app.cli.score:score", "Score systems with one or more metrics."),
    "compare": ("farthing.app.cli.compare:compare", "Compare systems with paired significance tests."),
    "meta": ("farthing.app.cli.meta:commands", "How well metrics agree with people, and what they miss."),
    "align": ("farthing.app.cli.align:align", "Show which tokens of two texts match, and how strongly."),
    "models": ("farthing.app.cli.models:models", "Find, inspect, export and tune encoders."),
    "metrics": ("farthing.app.cli.metrics:metrics", "List the metrics, or show one with its options."),
    "learn": ("farthing.app.cli.learn:learn", "Learn a cheap version of any metric."),
}
SUMMARY = "Cheap, light and fast evaluation of generated text. farthing COMMAND --help says more."


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line. Exit code 0: done, 2: wrong use or bad input, 1: a failure of ours."""
    _start_quickly()
    try:
        _run(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
    except FarthingError as error:
        _leave(str(error), 2)
    except KeyboardInterrupt:
        _leave("stopped", 130)
    except BrokenPipeError:
        _drop_output()  # the reader has gone (say, `| head`): nothing is left to say
    except OSError as error:
        _leave(f"{error.filename or 'standard output'}: {error.strerror or error}", 2)
    sys.exit(0)


def _start_quickly() -> None:
    """Spare a short run what only long ones need.

    Our own threads take whole batches, one core each (see encoders/threads.py), so numpy need not start threads
    of its own, which takes as long as the rest of its import; and garbage is looked for less often.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(50_000, 20, 20)


def _run(arguments: list[str]) -> None:
    if not arguments or arguments[0] in ("-h", "--help"):
        typed.print_listing(SUMMARY, {name: summary for name, (_, summary) in COMMANDS.items()}, "farthing")
    elif arguments[0] == "--version":
        sys.stdout.write(f"farthing {__version__}\n")
    elif arguments[0] not in COMMANDS:
        raise UnknownName("command", arguments[0], COMMANDS)
    else:
        name, *rest = arguments
        typed.run(_imported(COMMANDS[name][0]), rest, f"farthing {name}")


def _imported(home: str) -> Any:
    module, _, attribute = home.partition(":")
    return getattr(importlib.import_module(module), attribute)


def _leave(message: str, code: int) -> NoReturn:
    """One line on standard error, then out."""
    sys.stderr.write(f"farthing: {' '.join(message.split())}\n")
    _drop_output()
    sys.exit(code)


def _drop_output() -> None:
    """What is unflushed cannot be written any more; do not let the interpreter try again at its exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
