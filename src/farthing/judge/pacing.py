"""How fast a judge is asked: a rate, pauses that it asks for, and ever longer waits after failures."""

from __future__ import annotations

import random
import threading
import time


class CallPace:
    """Lets calls begin at a rate; a pause that an endpoint asks for stops all of them.

    :param per_minute: the most calls that begin in a minute; None for no limit
    """

    def __init__(self, per_minute: float | None = None) -> None:
        self._gap = 60 / per_minute if per_minute else 0.0
        self._next = 0.0
        self._lock = threading.Lock()

    def wait(self, stop: threading.Event) -> None:
        """Wait until the next call may begin, or until all stop."""
        with self._lock:
            start = max(self._next, time.monotonic())
            self._next = start + self._gap
        stop.wait(max(0.0, start - time.monotonic()))

    def pause(self, seconds: float) -> None:
        """Let no call begin for some seconds."""
        with self._lock:
            self._next = max(self._next, time.monotonic() + seconds)


def back_off(attempt: int, first: float, longest: float = 60.0) -> float:
    """Return how long to wait after a failure: twice as long each time, and never two callers alike.

    >>> 0.5 <= back_off(0, 1.0) <= 1.0, 2.0 <= back_off(2, 1.0) <= 4.0
    (True, True)
    """
    return min(longest, first * 2.0**attempt) * random.uniform(0.5, 1.0)
