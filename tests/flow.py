"""Runs a command and prints which files of the package ran functions, and how often control came back to `app`.

    python tests/flow.py score hyp.txt -r ref.txt

Class bodies and module bodies do not count: only functions that were called.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from types import FrameType

OPTIMIZED = 1  # the flag of a function's code; modules and class bodies do not have it


class Tracer:
    """Takes down the room of every call into the package."""

    def __init__(self, package: Path) -> None:
        self.package = f"{package}{os.sep}"
        self.files: dict[str, None] = {}
        self.returns = 0
        self.last = "app"

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        name = frame.f_code.co_filename
        if event != "call" or not name.startswith(self.package) or not frame.f_code.co_flags & OPTIMIZED:
            return
        file = name.removeprefix(self.package)
        room = file.partition(os.sep)[0]
        self.files[file] = None
        self.returns += room == "app" != self.last
        self.last = room


def main() -> None:
    import farthing
    from farthing.app.cli.main import main as run

    tracer = Tracer(Path(farthing.__file__).parent)
    sys.setprofile(tracer)
    try:
        run(sys.argv[1:])
    except SystemExit as error:
        sys.setprofile(None)
        sys.stderr.write(json.dumps({"files": list(tracer.files), "returns": tracer.returns}))
        sys.exit(error.code)


if __name__ == "__main__":
    main()
