"""The scale that people read: unrelated texts at 0, equal texts at 100, a straight line between them."""

from __future__ import annotations

import numpy as np

from farthing.core.arrays import Segments
from farthing.core.errors import UsageError


def floor_of(unrelated: Segments, top: float) -> float:
    """Find the value that reads as 0: half of the unrelated pairs lie below it.

    >>> floor_of(np.array([-3.0, -2.0, -1.0, 0.0, 0.0]), top=2.0)
    -1.0
    """
    floor = float(np.median(unrelated))
    if not floor < top:
        raise UsageError("unrelated texts score as high as equal ones: the student has learned nothing")
    return floor
