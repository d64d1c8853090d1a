"""The machine that a bench was run on, without its name."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from pathlib import Path

from farthing.core.threads import thread_count
from farthing.core.version import __version__
from farthing.scoring.identity import versions


@dataclass(frozen=True, slots=True)
class Machine:
    """What times depend on."""

    processor: str
    cores: int
    threads: int
    system: str
    python: str
    farthing: str
    libraries: dict[str, str]


def this_machine() -> Machine:
    """Describe this machine."""
    libraries = versions()["libraries"]
    return Machine(
        processor=_processor(),
        cores=os.cpu_count() or 1,
        threads=thread_count(),
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
        farthing=__version__,
        libraries={str(name): str(found) for name, found in libraries.items()} if isinstance(libraries, dict) else {},
    )


def _processor() -> str:
    """Return the name of the processor; Linux keeps it in a file, other systems tell it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "") or platform.processor() or "unknown"
