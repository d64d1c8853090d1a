"""A queue in which requests take turns by tokens: a short request never waits for the end of a long one.

This is weighted fair queueing with equal weights. The virtual time says how many tokens each request would have been
given by now if all had been served at once, in equal shares. A piece starts at this time, or at the end of the piece
before it if that is later, and ends as many tokens later as it has. The piece that ends first is taken first. So a
single pair passes thousands of waiting rows, and no stream of single pairs can keep those rows waiting for ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from farthing.service.work import QueuedWork, WorkPiece


class Turn(NamedTuple):
    """A piece of some work, whose turn it is."""

    work: QueuedWork
    piece: WorkPiece


class FairQueue:
    """Work that waits; not safe for threads."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, QueuedWork]] = []  # virtual end of the next piece, number, work
        self._numbers = count()
        self._now = 0.0

    def add(self, work: QueuedWork) -> None:
        """Let work wait for its first turn."""
        self._push(work, self._now)

    def _push(self, work: QueuedWork, start: float) -> None:
        if work.pieces:
            end = max(start, self._now) + work.pieces[0].tokens
            heappush(self._heap, (end, next(self._numbers), work))

    def window(self, tokens: int) -> list[Turn]:
        """Take pieces of together at most so many tokens, but at least one; work that is over is dropped."""
        return list(self._taken(tokens))

    def _taken(self, tokens: int) -> Iterator[Turn]:
        left = tokens
        while self._heap:
            end, _, work = self._heap[0]
            if not work.over and work.pieces[0].tokens > left < tokens:
                return
            heappop(self._heap)
            if work.over:
                continue
            piece = work.pieces.popleft()
            self._now += piece.tokens / (len(self._heap) + 1)
            left -= piece.tokens
            yield Turn(work, piece)
            self._push(work, end)

    def __bool__(self) -> bool:
        return any(not work.over for *_, work in self._heap)
