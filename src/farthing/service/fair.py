"""A queue in which requests take turns by tokens: a short request never waits for the end of a long one.

This is the fair sojourn protocol. The virtual time says how many tokens each request would have been given by now if
all were served at once, in equal shares. The request that would then be finished first is served first, piece by piece.
So a single pair passes thousands of waiting rows; requests of equal size are served in the order of their arrival,
instead of all of them being finished late; and no stream of single pairs can keep a long request waiting for ever,
since the time goes on for all of them.
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
        self._heap: list[tuple[float, int, QueuedWork]] = []  # virtual end, number, work
        self._numbers = count()
        self._now = 0.0

    def add(self, work: QueuedWork) -> None:
        """Let work wait for its first turn."""
        heappush(self._heap, (self._now + work.tokens, next(self._numbers), work))

    def window(self, tokens: int) -> list[Turn]:
        """Take pieces of together at most so many tokens, but at least one; work that is over is dropped."""
        return list(self._taken(tokens))

    def _taken(self, tokens: int) -> Iterator[Turn]:
        left = tokens
        while self._heap:
            work = self._heap[0][-1]
            if work.over or not work.pieces:
                heappop(self._heap)
                continue
            size = work.pieces[0].tokens
            if size > left < tokens:
                return
            left -= size
            self._now += size / len(self._heap)
            yield Turn(work, work.pieces.popleft())

    def __bool__(self) -> bool:
        return any(work.pieces and not work.over for *_, work in self._heap)
