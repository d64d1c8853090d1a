"""Run the application with uvicorn, for `farthing serve`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import uvicorn

from farthing.app.web.application import create_app
from farthing.app.web.guard import LOOPBACK, Access
from farthing.core.errors import InputError, UsageError
from farthing.service.limits import Limits
from farthing.service.service import Service

TOKEN = "FARTHING_TOKEN"
SHORTEST = 16  # characters of a token


def read_token(path: Path | None) -> str | None:
    """Read the token from a file or, without one, from the environment; None if there is none."""
    if path and not path.is_file():
        raise InputError("no such file", path=str(path), remedy="it holds the token that clients send")
    text = path.read_text(encoding="utf-8") if path else os.environ.get(TOKEN, "")
    token = text.strip()
    if (path or token) and len(token) < SHORTEST:
        raise UsageError(f"the token in {path or '$' + TOKEN} is shorter than {SHORTEST} characters: make a longer one")
    return token or None


def access_of(host: str, token: str | None, hosts: Sequence[str], anyone: bool) -> Access:
    """Return who may ask; refuse to open a service without a token to other machines.

    :param host: the address that the service listens on
    :param hosts: names under which it may be addressed, besides its own
    :param anyone: open it all the same
    """
    local = host in ("localhost", "127.0.0.1", "::1")
    if not local and token is None and not anyone:
        raise UsageError(
            f"other machines can reach {host}: set a token (${TOKEN} or --token-file), "
            "or say --without-token if something else decides who may ask"
        )
    return Access(token, [*LOOPBACK, *hosts] if local and token is None else list(hosts))


def run_server(
    host: str, port: int, limits: Limits, access: Access, metrics: Sequence[str] = (), quiet: bool = False
) -> None:
    """Serve until a signal ends it; what was accepted is finished first."""
    app = create_app(Service(limits, metrics), access)
    level = "warning" if quiet else "info"
    config = uvicorn.Config(
        app, host=host, port=port, log_level=level, access_log=False, timeout_graceful_shutdown=round(limits.seconds),
        server_header=False, date_header=False,
    )  # fmt: skip
    uvicorn.Server(config).run()
