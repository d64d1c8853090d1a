"""Waiting ends with the answer, with the client, or with the time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any

import pytest
from starlette.requests import Request

from farthing.app.web.replies import ClientGone
from farthing.app.web.waiting import answer_of, comparison_of, scored, scored_rows
from farthing.core.types import Pairs
from farthing.service.limits import Limits
from farthing.service.order import Order, Resampling
from farthing.service.service import Service


def request(gone: bool = False) -> Request:
    async def receive() -> dict[str, Any]:
        if not gone:
            await asyncio.sleep(60)
        return {"type": "http.disconnect"}

    return Request({"type": "http", "headers": []}, receive)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    made = Service(Limits(window=64)).start()
    yield made
    made.close()


def test_an_answer_comes() -> None:
    async def run() -> int:
        future: Future[int] = Future()
        asyncio.get_running_loop().call_later(0.01, future.set_result, 7)
        return await answer_of(request(), future, 10)

    assert asyncio.run(run()) == 7


@pytest.mark.parametrize(("gone", "seconds", "error"), [(True, 10, ClientGone), (False, 0.05, TimeoutError)])
def test_who_goes_away_or_waits_too_long_frees_its_place(gone: bool, seconds: float, error: type[Exception]) -> None:
    future: Future[int] = Future()
    with pytest.raises(error):
        asyncio.run(answer_of(request(gone), future, seconds))
    assert future.cancelled()


def pairs(count: int) -> Pairs:
    return Pairs(["the cat sat"] * count, [["a cat sat down"]] * count)


def test_rows_come_in_order_and_then_the_order(service: Service) -> None:
    async def run() -> list[Any]:
        start = lambda told: service.score([pairs(50)], ["chrf"], told=told)  # noqa: E731
        return [one async for one in scored_rows(request(), start, 60)]

    *rows, order = asyncio.run(run())
    assert isinstance(order, Order)
    assert [start for start, _ in rows] == sorted(start for start, _ in rows)
    assert sum(len(scores[0][0].segments) for _, scores in rows) == 50


def test_a_mistake_is_raised_where_rows_are_awaited(service: Service) -> None:
    async def run() -> list[Any]:
        start = lambda told: service.score([Pairs(["a"], [[]])], ["chrf"], told=told)  # noqa: E731
        return [one async for one in scored_rows(request(), start, 60)]

    with pytest.raises(Exception, match="chrf needs a reference"):
        asyncio.run(run())


def test_a_comparison_with_and_without_resampling(service: Service) -> None:
    async def run(plan: Resampling) -> float:
        order = await scored(request(), service.score([pairs(5), pairs(5)], ["chrf"], plan), 60)
        return (await comparison_of(order)).rows[0].cells[0].scores.corpus

    assert asyncio.run(run(Resampling())) == asyncio.run(run(Resampling(intervals=True)))
