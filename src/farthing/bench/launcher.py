"""Run a command and write to a file what it took; a script of its own, started by its path.

    python -I -S launcher.py REPORT OUTPUT ERRORS COMMAND [ARGUMENT …]

A process starts with the peak memory of the one that it was made from, which would be that of all of Farthing; this
script is small. It imports nothing of Farthing for that reason.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping

_WRITE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC


def launch(report: str, output: str, errors: str, command: list[str]) -> None:
    """Run a command to its end."""
    streams = [(os.POSIX_SPAWN_OPEN, number, path, _WRITE, 0o600) for number, path in ((1, output), (2, errors))]
    began = time.perf_counter()
    try:
        process = os.posix_spawnp(command[0], command, os.environ, file_actions=streams)
    except OSError as error:
        _write(report, {"problem": error.strerror})
        return
    _, status, usage = os.wait4(process, 0)
    scale = 1 if sys.platform == "darwin" else 1024
    taken = {
        "code": os.waitstatus_to_exitcode(status),
        "seconds": time.perf_counter() - began,
        "cpu": usage.ru_utime + usage.ru_stime,
        "memory": usage.ru_maxrss * scale,
    }
    _write(report, taken)


def _write(path: str, content: Mapping[str, object]) -> None:
    with open(path, "w", encoding="utf-8") as stream:
        json.dump(content, stream)


if __name__ == "__main__":
    launch(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:])
