"""What some work costs: seconds on the clock, seconds of all cores, and the memory at its peak."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from farthing.bench.memory import forget_peak, peak_bytes

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Spent:
    """The cost of some work.

    :param seconds: on the clock
    :param cpu: seconds of all cores together
    :param memory: the bytes of the process at their peak during the work; None if the system cannot tell
    """

    seconds: float
    cpu: float
    memory: int | None = None


def cost_of(work: Callable[[], _Result]) -> tuple[_Result, Spent]:
    """Do some work and return what it gave, with what it cost."""
    fresh = forget_peak()
    began, cpu = time.perf_counter(), time.process_time()
    result = work()
    seconds, spent = time.perf_counter() - began, time.process_time() - cpu
    return result, Spent(seconds, spent, peak_bytes() if fresh else None)
