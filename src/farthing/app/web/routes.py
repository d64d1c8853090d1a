"""The paths that score rows, whose answers may be streamed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Header, Request, Response

from farthing.app.web import bodies
from farthing.app.web.documents import RESPONSES, answers
from farthing.app.web.replies import json_reply
from farthing.app.web.streams import EVENTS, NDJSON, ProgressEvents, row_lines, streamed
from farthing.app.web.waiting import comparison_of, scored, scored_rows
from farthing.core.errors import UsageError
from farthing.core.types import Pairs
from farthing.scoring.comparison import Comparison
from farthing.service.order import Order, Resampling
from farthing.service.service import Service
from farthing.service.work import RowScores

HTML = "text/html"
Accept = Annotated[str, Header(include_in_schema=False)]


def scoring_routes(service: Service) -> APIRouter:
    """Return the paths that score rows."""
    router = APIRouter(responses=RESPONSES)
    seconds = service.limits.seconds

    @router.post("/v1/score", responses=answers(bodies.ScoreAnswer, NDJSON), summary="Score texts")
    async def score(body: bodies.ScoreBody, request: Request, accept: Accept = "") -> Response:
        """Score every pair, and all pairs as one system.

        With the header `Accept: application/x-ndjson` the answer is streamed: one line per row as soon as it is scored,
        and a last line with the score of all rows.
        """
        start = partial(service.score, [_pairs(body.pairs)], body.metrics, None)
        if NDJSON in accept:
            labels = [str(spec) for spec in service.allowed.specs(body.metrics) if not service.allowed.is_set(spec)]
            found = scored_rows(request, start, seconds)
            return await streamed(found, lambda one: row_lines(one, labels), NDJSON, "%s\n")
        order = await scored(request, start(), seconds)
        return json_reply((await comparison_of(order)).to_dict())

    @router.post("/v1/compare", responses=answers(bodies.ScoreAnswer, EVENTS), summary="Compare systems")
    async def compare(body: bodies.CompareBody, request: Request, accept: Accept = "") -> Response:
        """Score systems on the same segments, with intervals and tests if they are asked for.

        With the header `Accept: text/event-stream` the answer is a stream of events: `progress`, then `result`.
        """
        start = _compared(service, body)
        if EVENTS in accept:
            events = ProgressEvents(lambda result: result.to_dict())
            return await streamed(scored_rows(request, start, seconds), events.write, EVENTS, events.failed)
        order = await scored(request, start(None), seconds)
        return json_reply((await comparison_of(order)).to_dict())

    @router.post("/v1/report", responses=answers(None, HTML), summary="Compare systems in a page of one file")
    async def report(body: bodies.CompareBody, request: Request) -> Response:
        """Score systems as /v1/compare does, and return the page that `farthing report` makes of it."""
        order = await scored(request, _compared(service, body)(None), seconds)
        page = await asyncio.to_thread(_page, await comparison_of(order), order.given.systems)
        return Response(page, media_type=HTML)

    return router


def _page(found: Comparison, texts: Sequence[Pairs]) -> str:
    from farthing.report.page.compared import comparison_content
    from farthing.report.page.document import report_html

    return report_html(comparison_content(found, texts, ", ".join(row.system for row in found.rows)), [])


def _pairs(rows: Sequence[bodies.PairBody]) -> Pairs:
    """Return the pairs of a request; sources count if every row has one."""
    sources = [row.source for row in rows if row.source is not None]
    if sources and len(sources) < len(rows):
        raise UsageError(f"{len(sources)} of {len(rows)} pairs have a source: give one to all of them or to none")
    return Pairs([row.candidate for row in rows], [row.references for row in rows], sources or None)


def _compared(service: Service, body: bodies.CompareBody) -> Callable[[RowScores | None], Order]:
    plan = Resampling(
        body.intervals, None if body.test == "none" else body.test, body.baseline, body.resamples, body.seed
    )
    return partial(service.compare, body.systems, body.references, body.sources, body.metrics, plan)
