"""Run the real command in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
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
def write(tmp_path: Path) -> Callable[..., str]:
    """`write("a.txt", "line", "line")`, or bytes as they are."""

    def make(name: str, *rows: str | bytes) -> str:
        data = b"".join(row if isinstance(row, bytes) else row.encode("utf-8") + b"\n" for row in rows)
        (tmp_path / name).write_bytes(data)
        return name

    return make
