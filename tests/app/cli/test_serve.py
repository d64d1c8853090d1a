"""`farthing serve` as a user types it, mistakes included."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from farthing.app.cli.serve import LimitOptions
from farthing.service.limits import Limits

Command = Callable[..., Any]
WITHOUT = "import sys; sys.modules['{}'] = None; from farthing.app.cli.main import main; main(['{}'])"


@pytest.mark.parametrize(("module", "command"), [("uvicorn", "serve"), ("mcp", "mcp")])
def test_a_base_install_says_what_to_install(module: str, command: str) -> None:
    code = WITHOUT.format(module, command)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert (
        done.stderr == f"farthing: farthing {command} needs the extra {command!r}: pip install 'farthing[{command}]'\n"
    )


def test_mistakes(farthing: Command) -> None:
    assert "set a token ($FARTHING_TOKEN or --token-file)" in farthing("serve", "--host", "0.0.0.0", code=2).stderr
    assert "unknown metric that can be served 'judge'" in farthing("serve", "-m", "judge", code=2).stderr
    assert "no-such-file: no such file" in farthing("serve", "--token-file", "no-such-file", code=2).stderr


def test_the_options_are_the_limits() -> None:
    assert LimitOptions().limits() == Limits()
    assert LimitOptions(max_rows=5).limits().rows == 5
