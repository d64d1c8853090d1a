"""The same measurement several times: its median, and how far the repeats lie apart."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spread:
    """Repeats of one measurement.

    :param values: in the order in which they were taken
    """

    median: float
    low: float
    high: float
    values: tuple[float, ...]

    @classmethod
    def of(cls, values: Iterable[float]) -> Spread:
        """Sum up some repeats, of which there must be at least one.

        >>> Spread.of([3.0, 1.0, 2.0])
        Spread(median=2.0, low=1.0, high=3.0, values=(3.0, 1.0, 2.0))
        """
        taken = tuple(map(float, values))
        return cls(statistics.median(taken), min(taken), max(taken), taken)
