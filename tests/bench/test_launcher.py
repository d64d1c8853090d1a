"""The launcher as a script: what it writes of a command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from farthing.bench import launcher


def launched(tmp_path: Path, *command: str) -> dict[str, float]:
    files = [str(tmp_path / name) for name in ("report", "output", "errors")]
    subprocess.run([sys.executable, "-I", "-S", launcher.__file__, *files, *command], check=True)
    return json.loads((tmp_path / "report").read_text())


def test_what_a_command_took_and_wrote(tmp_path: Path) -> None:
    code = "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"
    report = launched(tmp_path, sys.executable, "-c", code)
    assert report["code"] == 3
    assert report["seconds"] > 0
    assert report["cpu"] > 0
    assert report["memory"] > 1 << 20
    assert [(tmp_path / name).read_text() for name in ("output", "errors")] == ["out\n", "err\n"]


def test_a_signal_and_a_program_that_does_not_exist(tmp_path: Path) -> None:
    assert launched(tmp_path, sys.executable, "-c", "import os; os.kill(os.getpid(), 9)")["code"] == -9
    assert "problem" in launched(tmp_path, "no-such-program-here")
