"""`farthing mcp` starts, and ends with its client; tests/app/agents talks to it."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("mcp", reason="the extra mcp is not installed")


def test_it_ends_when_nobody_is_there() -> None:
    command = [sys.executable, "-c", "from farthing.app.cli.main import main; main(['mcp'])"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (0, "")
