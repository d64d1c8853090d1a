"""`farthing serve`: a page in the browser, and an HTTP service for programs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from farthing.app.cli import common, typed
from farthing.core.errors import MissingExtra
from farthing.files.inputs import split
from farthing.service.limits import Limits

_USUAL = Limits()


@dataclass(frozen=True, slots=True)
class LimitOptions:
    """What one request, and all requests together, may ask for."""

    max_body: Annotated[int, typed.Option("--max-body", help="Bytes of a request.", min=1)] = _USUAL.body
    max_rows: Annotated[int, typed.Option("--max-rows", help="Rows of a request.", min=1)] = _USUAL.rows
    max_text: Annotated[int, typed.Option("--max-text", help="Characters of a text.", min=1)] = _USUAL.characters
    max_queue: Annotated[
        int, typed.Option("--max-queue", help="Tokens that may wait; more get the answer 429.", min=1)
    ] = _USUAL.queue
    window: Annotated[
        int, typed.Option("--window", help="Tokens that are scored together: more is cheaper, less is faster.", min=1)
    ] = _USUAL.window
    max_seconds: Annotated[float, typed.Option("--max-seconds", help="Seconds that an answer may take.", min=1)] = (
        _USUAL.seconds
    )

    def limits(self) -> Limits:
        """Return the limits of the service."""
        return Limits(
            body=self.max_body, rows=self.max_rows, characters=self.max_text, queue=self.max_queue, window=self.window,
            seconds=self.max_seconds,
        )  # fmt: skip


def serve(
    asked: LimitOptions,
    host: Annotated[str, typed.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typed.Option("--port", help="Port to listen on.", min=0, max=65535)] = 8000,
    metrics: Annotated[
        str, typed.Option("-m", "--metrics", help="Names of the metrics to offer, with commas; else all safe ones.")
    ] = "",
    token_file: Annotated[
        Path | None, typed.Option("--token-file", help="File with the token that clients send; else $FARTHING_TOKEN.")
    ] = None,
    without_token: Annotated[
        bool, typed.Option("--without-token", help="Let other machines in without a token.")
    ] = False,
    name: Annotated[
        list[str] | None, typed.Option("--name", help="A name under which the service is addressed, too.")
    ] = None,
    quiet: common.Quiet = False,
) -> None:
    """Show a page that scores texts, and answer requests of programs.

    Examples:
      farthing serve
      farthing serve --host 0.0.0.0 --token-file token.txt
    """
    try:
        from farthing.app.web.server import access_of, read_token, run_server
    except ModuleNotFoundError as error:
        raise MissingExtra("farthing serve", "serve") from error
    access = access_of(host, read_token(token_file), name or [], without_token)
    run_server(host, port, asked.limits(), access, split(metrics), quiet)
