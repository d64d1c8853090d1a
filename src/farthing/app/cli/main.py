"""The command `farthing`: finds the sub-command, runs it, and turns errors into one line and an exit code.

A sub-command is one file in this folder and one line in `COMMANDS`. Only the file that is asked for is
imported, so that `farthing score` starts without what `farthing learn` needs.
"""

from __future__ import annotations

import gc
import os
import shlex
import sys
from collections.abc import Sequence
from functools import partial
from typing import NoReturn

from farthing.app.cli import typed
from farthing.core.errors import FarthingError, GateFailed
from farthing.core.progress import Stopped
from farthing.core.registry import Registry
from farthing.core.version import __version__
from farthing.scoring.engine import GARBAGE, USUAL_ENGINE, LateEngine, made_engine

COMMANDS: Registry[typed.Command | typed.Commands] = Registry(
    "command",
    {
        "score": "farthing.app.cli.score:score",
        "compare": "farthing.app.cli.compare:compare",
        "report": "farthing.app.cli.report:report",
        "judge": "farthing.app.cli.judge:judge",
        "meta": "farthing.app.cli.meta:commands",
        "bench": "farthing.app.cli.bench:bench",
        "align": "farthing.app.cli.align:align",
        "rerank": "farthing.app.cli.rerank:rerank",
        "mbr": "farthing.app.cli.mbr:mbr",
        "serve": "farthing.app.cli.serve:serve",
        "mcp": "farthing.app.cli.mcp:mcp",
        "models": "farthing.app.cli.models:models",
        "metrics": "farthing.app.cli.metrics:metrics",
        "learn": "farthing.app.cli.learn:learn",
        "cite": "farthing.app.cli.cite:cite",
        "verify": "farthing.app.cli.verify:verify",
        "completion": "farthing.app.cli.completion:completion",
        "help": "farthing.app.cli.help:show_help",
    },
)
# One line each for the list of commands, which is printed without importing any of them.
SUMMARIES = {
    "score": "Score systems with one or more metrics.",
    "compare": "Compare systems with paired significance tests.",
    "report": "Show what runs say: one page that opens anywhere, or a short text.",
    "judge": "Judge systems by an expensive judge that sees a part of the rows.",
    "meta": "Measure how well metrics agree with people, and what they miss.",
    "bench": "Measure what metrics cost: time, memory, size and energy beside quality.",
    "align": "Show which tokens of two texts match, and how strongly.",
    "rerank": "Choose the best candidate of each list by its score.",
    "mbr": "Choose the candidate of each list that agrees most with the others.",
    "serve": "Show a page that scores texts, and answer requests of programs.",
    "mcp": "Offer metrics as tools to agents, over standard input and output.",
    "models": "Find, inspect, export and tune encoders.",
    "metrics": "List the metrics, or show one with its options.",
    "learn": "Learn a cheap version of any metric.",
    "cite": "Print the citations of Farthing and of the papers of metrics.",
    "verify": "Check whether the metric of a signature is here, with the same version and weights.",
    "completion": "Print a script that lets a shell complete what you type.",
    "help": "Show what a command does, and its options.",
}
SUMMARY = (
    "Cheap, light and fast evaluation of generated text. farthing help COMMAND says more. "
    "No command but `models pull` uses the network, unless it is given --online or the address of a judge."
)
_ONLINE = "--online"


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and print what the command returns.

    Exit code 0: done, 2: wrong use or bad input, 3: not as good as asked for, 1: a failure of ours, or what a command
    returns with what it prints.
    """
    _start_quickly()
    USUAL_ENGINE.set(partial(LateEngine, partial(made_engine, "local")))  # several processes, for long inputs
    printed = None
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        printed = _run(given)
        _print(printed)
    except GateFailed as error:
        _print(error.printed or None)
        _leave(str(error), 3)
    except FarthingError as error:
        _leave(str(error), 2)
    except Stopped as stop:
        _leave(f"stopped; {stop}; this resumes it: farthing {shlex.join(given)}", 130)
    except KeyboardInterrupt:
        _leave("stopped", 130)
    except BrokenPipeError:
        _drop_output()  # the reader has gone (say, `| head`): nothing is left to say
    except OSError as error:
        place = error.filename or ("standard output" if printed is not None else "a file cannot be read or written")
        _leave(f"{place}: {error.strerror or error}", 2)
    sys.exit(printed.code if isinstance(printed, typed.Answer) else 0)


def _print(text: str | None) -> None:
    sys.stdout.write("" if text is None else text + "\n")
    sys.stdout.flush()


def _start_quickly() -> None:
    """Spare a short run what only long ones need.

    Our own threads take whole batches, one core each (see core/threads.py), so numpy need not start threads
    of its own, which takes as long as the rest of its import; and garbage is looked for less often.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(*GARBAGE)


def _run(arguments: list[str]) -> str | None:
    arguments = _with_network(arguments)
    if not arguments or arguments[0] in ("-h", "--help"):
        print_commands()
        return None
    name, *rest = arguments
    if name in ("-V", "--version"):
        return f"farthing {__version__}"
    return typed.run(COMMANDS.get(name), rest, f"farthing {name}")


def print_commands() -> None:
    """Print the list of commands, without importing any of them."""
    from farthing.app.cli.listing import print_listing

    others = {name: "" for name in COMMANDS.names() if name not in SUMMARIES}
    print_listing(SUMMARY, {**SUMMARIES, **others}, "farthing")


def _with_network(arguments: list[str]) -> list[str]:
    """Take the switch --online, which every command knows, out of the arguments and obey it."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    if _ONLINE not in arguments[:end]:
        return arguments
    os.environ["FARTHING_ONLINE"] = "1"  # read where models are located, by this process and those it starts
    return [*(argument for argument in arguments[:end] if argument != _ONLINE), *arguments[end:]]


def _leave(message: str, code: int) -> NoReturn:
    """One line on standard error, then out."""
    sys.stderr.write(f"farthing: {' '.join(message.split())}\n")
    _drop_output()
    sys.exit(code)


def _drop_output() -> None:
    """What is unflushed cannot be written any more; do not let the interpreter try again at its exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
