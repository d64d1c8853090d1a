"""Fresh processes: any command with what it took, and Farthing's own worker."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeVar

from farthing.bench import launcher
from farthing.bench.cost import Spent
from farthing.bench.exchange import read_message, write_message
from farthing.core.errors import FarthingError, UsageError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_Answer = TypeVar("_Answer")
_Request = TypeVar("_Request")
REFUSED = 2  # the exit code of a mistake that one sentence explains


@dataclass(frozen=True, slots=True)
class Finished:
    """A command that ran to its end: its cost, exit code and what it wrote."""

    cost: Spent
    code: int
    output: str
    errors: str


def run_command(command: Sequence[str], folder: Path | None = None) -> Finished:
    """Run a command, whatever it is, and measure its process and those that it waited for.

    :param folder: where it runs; by default the present folder
    """
    if not hasattr(os, "posix_spawn"):
        raise UsageError(f"{command[0]} cannot be measured on this system: commands are measured on Linux and macOS")
    with TemporaryDirectory() as scratch:
        report, output, errors = (Path(scratch) / name for name in ("report", "output", "errors"))
        script = [sys.executable, "-I", "-S", str(Path(launcher.__file__)), str(report), str(output), str(errors)]
        subprocess.run([*script, *command], cwd=folder, check=True)
        taken = json.loads(report.read_text(encoding="utf-8"))
        if "problem" in taken:
            raise UsageError(f"{command[0]} cannot be run: {taken['problem']}")
        texts = (path.read_text(encoding="utf-8", errors="replace") for path in (output, errors))
        return Finished(Spent(taken["seconds"], taken["cpu"], taken["memory"]), taken["code"], *texts)


def run_worker(module: str, name: str, request: DataclassInstance, answer: type[_Answer]) -> _Answer:
    """Measure something in a fresh process; what is wrong with it is one sentence.

    :param module: the module of Farthing that is run, with the files of the request and of the answer as arguments
    :param name: what is measured, for messages
    """
    with TemporaryDirectory() as scratch:
        asked, answered = Path(scratch) / "request.json", Path(scratch) / "answer.json"
        write_message(asked, request)
        command = [sys.executable, "-P", "-m", module, str(asked), str(answered)]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
        if done.returncode:
            raise UsageError(f"{name} cannot be measured: {last_line(done.stderr) or 'its process was killed'}")
        return read_message(answered, answer)


def worker_main(measure: Callable[[_Request], DataclassInstance], request: type[_Request], files: Sequence[str]) -> int:
    """Do the part of the fresh process: read the request, measure, write the answer, and return the exit code."""
    asked, answered = map(Path, files)
    try:
        write_message(answered, measure(read_message(asked, request)))
    except FarthingError as error:
        sys.stderr.write(f"{error}\n")
        return REFUSED
    return 0


def last_line(text: str) -> str:
    """Return the last line that says something, which is where programs put the reason of a failure.

    >>> last_line("Traceback\\nValueError: no model\\n\\n")
    'ValueError: no model'
    """
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")
