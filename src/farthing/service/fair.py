"""A queue in which requests take turns by tokens: a short request never waits for the end of a long one.

This is fair queueing by start times. Every piece has a virtual start, which is the end of the piece before it or, for
the first one, the virtual now, and ends as many tokens later. The piece that ends first is taken first. So a single
pair passes thousands of waiting rows, and no stream of single pairs can keep those rows waiting for ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from farthing.service.work import Piece, Work


class Turn(NamedTuple):
    """A piece of some work, whose turn it is."""

    work: Work
    piece: Piece


class FairQueue:
    """Work that waits; not safe for threads."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, int, Work]] = []  # virtual end, number, virtual start, work
        self._numbers = count()
        self._now = 0

    def add(self, work: Work) -> None:
        """Let work wait for its first turn."""
        self._push(work, self._now)

    def _push(self, work: Work, start: int) -> None:
        if work.pieces:
            heappush(self._heap, (start + work.pieces[0].tokens, next(self._numbers), start, work))

    def window(self, tokens: int) -> list[Turn]:
        """Take pieces of together at most so many tokens, but at least one; work that is over is dropped."""
        return list(self._taken(tokens))

    def _taken(self, tokens: int) -> Iterator[Turn]:
        left = tokens
        while self._heap:
            end, _, start, work = self._heap[0]
            if not work.over and end - start > left < tokens:
                return
            heappop(self._heap)
            if work.over:
                continue
            self._now = max(self._now, start)
            left -= end - start
            yield Turn(work, work.pieces.popleft())
            self._push(work, end)

    def __bool__(self) -> bool:
        return any(not work.over for *_, work in self._heap)
