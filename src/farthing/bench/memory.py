"""The memory of this process, and the highest that it was: what `/usr/bin/time -v` calls the maximum resident set."""

from __future__ import annotations

import sys
from pathlib import Path

_STATUS, _CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")
_RESET_PEAK = "5"  # what Linux takes as the order to forget the peak


def resident_bytes() -> int | None:
    """Return the memory that the process uses now, if the system tells."""
    return _status("VmRSS")


def peak_bytes() -> int:
    """Return the most memory that the process has used, since it began or since :func:`forget_peak`.

    Linux counts this for the program alone. The number that `getrusage` gives is no less than the memory of the process
    that started this one.
    """
    peak = _status("VmHWM")
    if peak is not None:
        return peak
    import resource

    scale = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale


def forget_peak() -> bool:
    """Let the peak begin anew at the memory that is in use; return whether the system can do that."""
    try:
        _CLEAR.write_text(_RESET_PEAK, encoding="ascii")
    except OSError:
        return False
    return True


def device_peak_bytes() -> int | None:
    """Return the most memory that torch has taken on a GPU; None if torch was not loaded or there is no GPU."""
    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_available():
        return None
    return int(torch.cuda.max_memory_allocated())


def forget_device_peak() -> None:
    """Let the peak on the GPU begin anew, if there is one."""
    if device_peak_bytes() is not None:
        sys.modules["torch"].cuda.reset_peak_memory_stats()


def _status(name: str) -> int | None:
    """Read one line of the process's status, which is in kB."""
    try:
        lines = _STATUS.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return None
    found = (line.split() for line in lines if line.startswith(f"{name}:"))
    return next((int(words[1]) * 1024 for words in found), None)
