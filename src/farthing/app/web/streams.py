"""Answers that arrive row by row: lines of JSON for programs, and events of progress for the page."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from itertools import chain

from starlette.responses import Response, StreamingResponse

from farthing.app.web.replies import ClientGone, json_bytes, told_error
from farthing.app.web.waiting import RowsScored, comparison_of
from farthing.scoring.comparison import Comparison
from farthing.service.order import Order

NDJSON, EVENTS = "application/x-ndjson", "text/event-stream"


async def streamed(
    found: AsyncGenerator[RowsScored | Order, None],
    write: Callable[[RowsScored | Order], AsyncIterator[bytes]],
    media: str,
    failed: str,
) -> Response:
    """Return a response that is sent while it is made; a mistake in the request is still answered by its status.

    :param failed: what the sentence of a late error is put into; `%s` stands for JSON
    """
    first = await anext(found)

    async def parts() -> AsyncIterator[bytes]:
        try:
            async with aclosing(found):  # if the client goes away, its place in the queue is free at once
                async for part in write(first):
                    yield part
                async for one in found:
                    async for part in write(one):
                        yield part
        except ClientGone:
            return
        except Exception as error:
            status, sentence = told_error(error)
            yield failed.encode() % json_bytes({"error": sentence, "status": status})

    return StreamingResponse(parts(), media_type=media, headers={"X-Accel-Buffering": "no"})


async def row_lines(found: RowsScored | Order, labels: list[str]) -> AsyncIterator[bytes]:
    """Write one line per row, and a last one with all that is known at the end.

    :param labels: the specs of the metrics of pairs
    """
    if isinstance(found, Order):
        result = (await comparison_of(found)).to_dict()
        yield json_bytes({**result, "results": [_short(one) for one in _records(result)]}) + b"\n"
        return
    start, scores = found
    columns = [metric[0].segments for metric in scores]
    rows = zip(*(column.tolist() for column in columns if column is not None), strict=True)
    lines = (
        json_bytes({"row": start + place, "scores": dict(zip(labels, row, strict=True))})
        for place, row in enumerate(rows)
    )
    yield b"\n".join(chain(lines, [b""]))


def _records(result: dict[str, object]) -> list[dict[str, object]]:
    records = result["results"]
    return [dict(one) for one in records] if isinstance(records, list) else []


def _short(record: dict[str, object]) -> dict[str, object]:
    """Leave out what the lines before have told."""
    return {key: value for key, value in record.items() if key not in ("segments", "parts")}


class ProgressEvents:
    """Server-sent events: `progress` with the rows that are done, then `result`; `failed` instead if it fails."""

    failed = "event: failed\ndata: %s\n\n"

    def __init__(self, result: Callable[[Comparison], object]) -> None:
        self._result = result

    async def write(self, found: RowsScored | Order) -> AsyncIterator[bytes]:
        """Write the events of some rows, or of the end."""
        if isinstance(found, Order):
            result = await comparison_of(found)
            yield b"event: result\ndata: " + json_bytes(self._result(result)) + b"\n\n"
            return
        start, scores = found
        segments = scores[0][0].segments
        done = start + (0 if segments is None else len(segments))
        yield b"event: progress\ndata: " + json_bytes({"done": done}) + b"\n\n"
