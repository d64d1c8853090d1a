"""The paths with one answer: alignments, choices, files, and what the service says of itself."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from farthing.app.web import bodies
from farthing.app.web.documents import RESPONSES, answers
from farthing.app.web.replies import json_reply
from farthing.app.web.waiting import answer_of, scored
from farthing.core.nbest import NBest
from farthing.core.version import __version__
from farthing.service.service import Service
from farthing.service.uploads import UploadRole, read_upload

BYTES: dict[str, object] = {
    "requestBody": {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}
}


def asking_routes(service: Service) -> APIRouter:
    """Return the paths that take texts."""
    router = APIRouter(responses=RESPONSES)
    seconds = service.limits.seconds

    @router.post("/v1/align", responses=answers(bodies.AlignAnswer), summary="Align the tokens of two texts")
    async def align(body: bodies.AlignBody, request: Request) -> Response:
        """Return which token matches which, and which words are likely wrong or missing."""
        work = service.align(body.candidate, body.reference, body.metric)
        found: dict[str, object] = await answer_of(request, work.answer, seconds)
        return json_reply(found)

    @router.post("/v1/rerank", responses=answers(bodies.RerankAnswer), summary="Choose the best candidates")
    async def rerank(body: bodies.RerankBody, request: Request) -> Response:
        """Choose the candidates of each list that score best: against its source, or against references."""
        lists = [NBest(one.candidates, one.references, one.source) for one in body.lists]
        order = await scored(request, service.rerank(lists, body.metric, body.top), seconds)
        found = service.choices(order, lists, body.top)
        return json_reply({"signature": str(found.signature), "choices": found.to_dict()})

    @router.post("/v1/read", responses=answers(bodies.ReadAnswer), summary="Read a file of texts", openapi_extra=BYTES)
    async def read(
        request: Request,
        name: Annotated[str, Query(description="Its suffix tells the format: txt, tsv, csv, jsonl or json.")],
        role: Annotated[UploadRole, Query(description="What the file holds.")] = "outputs",
    ) -> Response:
        """Read the texts of a file that the client sends, as the command line reads files."""
        return json_reply(await asyncio.to_thread(read_upload, name, await request.body(), role))

    return router


def telling_routes(service: Service) -> APIRouter:
    """Return the paths that tell something of the service."""
    router = APIRouter(responses=RESPONSES)

    @router.get("/v1/metrics", responses=answers(bodies.MetricsAnswer), summary="List the metrics")
    async def metrics() -> Response:
        """Return the metrics that requests may name, with the options and values that they may have."""
        return json_reply({"default": service.allowed.default, "metrics": service.forms()})

    @router.get("/healthz", responses=answers(bodies.HealthAnswer), summary="Tell whether the service works")
    async def health() -> Response:
        """Return the version."""
        return json_reply({"status": "ok", "farthing": __version__})

    @router.get(
        "/metrics", response_class=Response, responses=answers(None, "text/plain"), summary="Count what was done"
    )
    async def numbers() -> Response:
        """Return counts in the text format of Prometheus."""
        worker = service.worker
        text = worker.tally.prometheus(worker.waiting, worker.requests)
        return Response(text, media_type="text/plain; version=0.0.4")

    return router
