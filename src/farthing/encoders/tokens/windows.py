"""Long texts in overlapping windows, so that documents are read whole."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Window:
    """Tokens `start` to `stop` are read together; of those, `keep_from` to `keep_to` are kept."""

    start: int
    stop: int
    keep_from: int
    keep_to: int


def windows(length: int, room: int) -> list[Window]:
    """Cut a text of `length` tokens into windows of at most `room` tokens.

    Neighbouring windows overlap by at least half a window, evenly; each token is kept from the window in which it
    is furthest from an end, so that it is read with the most context.

    >>> windows(5, 8)
    [Window(start=0, stop=5, keep_from=0, keep_to=5)]
    >>> [(w.start, w.stop, w.keep_from, w.keep_to) for w in windows(10, 4)]
    [(0, 4, 0, 3), (2, 6, 3, 5), (4, 8, 5, 7), (6, 10, 7, 10)]
    """
    if length <= room:
        return [Window(0, length, 0, length)]
    count = -(-(length - room) // max(1, room // 2)) + 1
    starts = [round(number * (length - room) / (count - 1)) for number in range(count)]
    borders = [0, *((left + room + right) // 2 for left, right in pairwise(starts)), length]
    return [
        Window(start, start + room, keep_from, keep_to)
        for start, (keep_from, keep_to) in zip(starts, pairwise(borders), strict=True)
    ]
