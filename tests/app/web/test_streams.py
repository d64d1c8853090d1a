"""Streams whose end is an error still tell it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any

import numpy as np
from starlette.responses import StreamingResponse

from farthing.app.web.replies import ClientGone
from farthing.app.web.streams import NDJSON, ProgressEvents, row_lines, streamed
from farthing.core.errors import UsageError
from farthing.core.signature import Signature
from farthing.core.types import Scores


def rows(*values: float) -> Any:
    return [[Scores(float(np.mean(values)), np.array(values), Signature("chrf"))]]


async def read(found: AsyncGenerator[Any, None], write: Any, failed: str) -> str:
    answer = await streamed(found, write, NDJSON, failed)
    assert isinstance(answer, StreamingResponse)
    return b"".join([part async for part in answer.body_iterator]).decode()  # type: ignore[misc]


def test_lines_and_a_late_error() -> None:
    async def found() -> AsyncGenerator[Any, None]:
        yield 0, rows(1.5, float("nan"))
        yield 2, rows(3.0)
        raise UsageError("too late")

    text = asyncio.run(read(found(), lambda one: row_lines(one, ["chrf"]), "%s\n"))
    lines = [json.loads(line) for line in text.splitlines()]
    assert lines[:3] == [
        {"row": 0, "scores": {"chrf": 1.5}},
        {"row": 1, "scores": {"chrf": None}},
        {"row": 2, "scores": {"chrf": 3.0}},
    ]
    assert lines[3] == {"error": "too late", "status": 409}


def test_events_of_progress_and_a_client_that_goes() -> None:
    async def found() -> AsyncGenerator[Any, None]:
        yield 0, rows(1.0, 2.0)
        yield 2, rows(3.0)
        raise ClientGone

    events = ProgressEvents(lambda result: None)
    text = asyncio.run(read(found(), events.write, events.failed))
    assert text == 'event: progress\ndata: {"done":2}\n\nevent: progress\ndata: {"done":3}\n\n'
