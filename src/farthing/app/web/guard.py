"""What every request passes first: its host, its token, the size of its body; and what every answer is given."""

from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from farthing.app.web.replies import error_reply, json_reply
from farthing.service.limits import Busy, TooLarge
from farthing.service.service import Service

READING = 60.0  # seconds in which a body must be sent
OPEN = ("/healthz", "/", "/openapi.json", "/assets/")  # what needs no token: it tells nothing of anybody's texts
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True, slots=True)
class Access:
    """Who may ask.

    :param token: what must follow "Bearer" in the header Authorization; None if anybody may ask
    :param hosts: names under which the service may be addressed; any if there are none. A web page that a browser
        shows cannot ask a service under a name of its own choice then.
    """

    token: str | None = None
    hosts: Sequence[str] = LOOPBACK

    def refusal(self, path: str, headers: Headers) -> Response | None:
        """Return the answer to somebody who may not ask."""
        host = headers.get("host", "")
        name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
        if self.hosts and name.lower() not in self.hosts:
            return json_reply({"error": f"the service does not answer to the name {name[:60]!r}"}, 403)
        if self.token is None or path in OPEN or path.startswith(OPEN[-1]):
            return None
        given = headers.get("authorization", "").removeprefix("Bearer ")
        if hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode()):
            return None
        sentence = "a token is needed: send the header Authorization: Bearer TOKEN"
        return json_reply({"error": sentence}, 401, {"WWW-Authenticate": "Bearer"})


class Guard:
    """An ASGI application around the real one.

    :param paths: the paths that are counted by name; all others are counted together
    """

    def __init__(self, app: ASGIApp, service: Service, access: Access, paths: Sequence[str]) -> None:
        self.app, self.service, self.access, self.paths = app, service, access, frozenset(paths)
        self._open = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started, status, path = time.perf_counter(), 499, scope["path"]

        async def counted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        self._open += 1
        try:
            await self._answer(scope, receive, counted)
        finally:
            self._open -= 1
            named = path if path in self.paths else "other"
            self.service.worker.tally.answered(named, status, time.perf_counter() - started)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        refused = self.access.refusal(scope["path"], headers)
        if refused is None and self._open > self.service.limits.requests:
            refused = error_reply(Busy(1))
        body = b""
        if refused is None and scope["method"] not in ("GET", "HEAD"):
            try:
                async with asyncio.timeout(READING):
                    body = await self._body(headers, receive)
            except TooLarge as error:
                refused = error_reply(error)
            except TimeoutError:
                refused = json_reply({"error": f"the body did not arrive within {READING:.0f} seconds"}, 408)
        await (refused or self.app)(scope, _replayed(body, receive), send)

    async def _body(self, headers: Headers, receive: Receive) -> bytes:
        """Read a body, as far as it is not too large."""
        most, told = self.service.limits.body, headers.get("content-length", "0")
        parts, size, more = list[bytes](), int(told) if told.isdecimal() else 0, True
        if size <= most:
            size = 0
        while more and size <= most:
            message = await receive()
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            more = message.get("more_body", False)
        if size > most:
            raise TooLarge(f"the body is larger than the {most} bytes that are allowed here: send fewer rows at a time")
        return b"".join(parts)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Give a body that was read to who reads it again; then the rest, which tells when the client has gone."""
    waiting = [body]

    async def again() -> Message:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return again
