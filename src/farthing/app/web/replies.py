"""Answers as bytes, and errors as one sentence in JSON."""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Mapping

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from farthing.core.errors import FarthingError
from farthing.service.allowed import NotAllowed
from farthing.service.limits import Busy, TooLarge, TooMany

STATUS = {  # the first class that an error has decides
    NotAllowed: 403,
    TooMany: 422,
    TooLarge: 413,
    Busy: 429,
    FarthingError: 409,
    TimeoutError: 504,
}
OURS = "this is a failure of the service, whose log says more"
TOO_SLOW = "the answer took longer than it may: send fewer rows at a time"
LOG = logging.getLogger("farthing.serve")


class ClientGone(Exception):
    """Nobody waits for the answer any more."""


def json_bytes(value: object) -> bytes:
    """Return compact JSON; a number that JSON does not know becomes null.

    >>> json_bytes({"a": [float("nan"), 1.5]})
    b'{"a":[null,1.5]}'
    """
    try:
        return _dumped(value)
    except ValueError:
        return _dumped(_finite(value))


def _dumped(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def _finite(value: object) -> object:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _finite(one) for key, one in value.items()}
    return [_finite(one) for one in value] if isinstance(value, list | tuple) else value


def json_reply(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return an answer in JSON."""
    return Response(json_bytes(value), status, dict(headers or {}), "application/json")


def error_reply(error: BaseException) -> Response:
    """Return the sentence of an error with its status; what nobody foresaw is logged and told in general words."""
    status, sentence = told_error(error)
    headers = {"Retry-After": str(error.seconds)} if isinstance(error, Busy) else {}
    return json_reply({"error": sentence}, status, headers)


def told_error(error: BaseException) -> tuple[int, str]:
    """Return the status and the sentence of an error."""
    for kind, status in STATUS.items():
        if isinstance(error, kind):
            return status, " ".join(str(error).split()) or TOO_SLOW
    LOG.error("a request failed", exc_info=error)
    return 500, OURS


async def farthing_error(request: Request, error: Exception) -> Response:
    """Answer an error that was raised on purpose, or by mistake."""
    return Response(status_code=499) if isinstance(error, ClientGone) else error_reply(error)


async def wrong_body(request: Request, error: Exception) -> Response:
    """Answer a body that is not what the OpenAPI document says."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"][1:])
    return json_reply({"error": f"{place or 'body'}: {first['msg'][:1].lower()}{first['msg'][1:]}"}, 422)


async def http_error(request: Request, error: Exception) -> Response:
    """Answer a path or a method that is unknown."""
    assert isinstance(error, HTTPException)
    words = {
        404: "there is nothing at this address; /openapi.json says what there is",
        405: "this method is unknown here",
    }
    sentence = words.get(error.status_code, str(error.detail))
    return json_reply({"error": sentence}, error.status_code, error.headers)
