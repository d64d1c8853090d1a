"""Run the real command in a process of its own."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """`run("score", "a.txt", …)` in a folder of its own, with what it wrote and its exit code."""

    def call(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", "from farthing.app.cli.main import main; main()", *arguments]
        environment = {**os.environ, "COLUMNS": "200", "PYTHONWARNINGS": "error"}
        settings: dict[str, object] = {"capture_output": True, "text": True, "encoding": "utf-8", **options}
        return subprocess.run(command, cwd=tmp_path, env=environment, check=False, **settings)  # type: ignore[call-overload,no-any-return]

    return call


@pytest.fixture
def at_terminal(tmp_path: Path) -> Callable[..., str]:
    """`at_terminal("score", "a.txt", …, columns=60)`: all that a person sees at a terminal of this width."""

    def call(*arguments: str, columns: int = 80, **environment: str) -> str:
        command = [sys.executable, "-c", "from farthing.app.cli.main import main; main()", *arguments]
        unset = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
        person, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        settings = {**unset, "TERM": "xterm", "PYTHONWARNINGS": "error", **environment}
        with subprocess.Popen(
            command, cwd=tmp_path, env=settings, stdin=subprocess.DEVNULL, stdout=terminal, stderr=terminal
        ):
            os.close(terminal)
            shown = _all_that_is_shown(person)
        os.close(person)
        return shown.replace("\r\n", "\n")

    return call


def _all_that_is_shown(person: int) -> str:
    shown = b""
    while True:
        try:
            more = os.read(person, 65536)
        except OSError:  # the other side has gone
            more = b""
        if not more:
            return shown.decode("utf-8")
        shown += more


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    """`write("a.txt", "line", "line")`, or bytes as they are."""

    def make(name: str, *rows: str | bytes) -> str:
        data = b"".join(row if isinstance(row, bytes) else row.encode("utf-8") + b"\n" for row in rows)
        (tmp_path / name).write_bytes(data)
        return name

    return make
