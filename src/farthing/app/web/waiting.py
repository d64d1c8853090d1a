"""Wait for the scoring thread without blocking others, as long as the client is there and the time allows it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from concurrent.futures import Future
from typing import TypeAlias, TypeVar

from starlette.requests import Request

from farthing.app.web.replies import ClientGone
from farthing.scoring.comparison import Comparison
from farthing.scoring.engine import StretchScores
from farthing.service.order import Order
from farthing.service.work import RowScores

Result = TypeVar("Result")
RowsScored: TypeAlias = tuple[int, StretchScores]  #: the first row, and the scores of some rows
_COMPARING = asyncio.Semaphore(1)  # resampling takes a core of its own, so one at a time


class Visit:
    """One client that waits.

    :param seconds: how long it may wait in all
    """

    def __init__(self, request: Request, seconds: float) -> None:
        self._gone = asyncio.create_task(_gone(request))
        self._until = asyncio.get_running_loop().time() + seconds

    async def wait(self, work: Coroutine[object, object, Result]) -> Result:
        """Return what comes of some work; raise if the client goes away first, or if it takes too long."""
        task = asyncio.create_task(work)
        left = self._until - asyncio.get_running_loop().time()
        await asyncio.wait({task, self._gone}, timeout=max(0.0, left), return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        task.cancel()
        raise ClientGone if self._gone.done() else TimeoutError

    def close(self) -> None:
        """Stop listening."""
        self._gone.cancel()


async def _gone(request: Request) -> None:
    """Return when the client has closed the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def answer_of(request: Request, future: Future[Result], seconds: float) -> Result:
    """Return the answer to a call; who goes away frees its place in the queue."""
    visit = Visit(request, seconds)
    try:
        return await visit.wait(_wrapped(future))
    finally:
        future.cancel()
        visit.close()


async def _wrapped(future: Future[Result]) -> Result:
    return await asyncio.wrap_future(future)


async def scored(request: Request, order: Order, seconds: float) -> Order:
    """Return an order when all of it is scored; who goes away frees its place in the queue."""
    visit = Visit(request, seconds)
    try:
        for future in order.futures:
            await visit.wait(_wrapped(future))
        return order
    finally:
        order.cancel()
        visit.close()


async def comparison_of(order: Order) -> Comparison:
    """Put scores side by side, in a thread of its own if something is resampled."""
    if not order.resampling.intervals and order.resampling.test is None:
        return order.comparison()
    async with _COMPARING:
        return await asyncio.to_thread(order.comparison)


async def scored_rows(
    request: Request, start: Callable[[RowScores], Order], seconds: float
) -> AsyncGenerator[RowsScored | Order, None]:
    """Yield rows as soon as they are scored, then the order itself.

    :param start: gives the order to the scoring thread, which calls what it is given with rows
    """
    loop, rows = asyncio.get_running_loop(), asyncio.Queue[RowsScored | None]()
    order = start(lambda row, scores: _put(loop, rows, (row, scores)))
    for future in order.futures:
        future.add_done_callback(lambda _: _put(loop, rows, None))
    visit = Visit(request, seconds)
    try:
        waiting = len(order.futures)
        while waiting:
            found = await visit.wait(rows.get())
            if found is not None:
                yield found
            waiting -= found is None
            _check(order)
        yield order
    finally:
        order.cancel()
        visit.close()


def _check(order: Order) -> None:
    """Raise what went wrong with a part of an order."""
    for future in order.futures:
        if future.done() and (error := future.exception()):
            raise error


def _put(loop: asyncio.AbstractEventLoop, rows: asyncio.Queue[RowsScored | None], found: RowsScored | None) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(rows.put_nowait, found)
