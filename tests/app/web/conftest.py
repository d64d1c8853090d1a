"""A service that answers in this process, and one in a process of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra serve is not installed")

import httpx
from fastapi.testclient import TestClient

from farthing.app.web.application import create_app
from farthing.app.web.guard import Access
from farthing.service.limits import Limits
from farthing.service.service import Service


@pytest.fixture(scope="session")
def client() -> Iterator[TestClient]:
    """Asks a service that nobody else asks."""
    service = Service(Limits(body=200_000, rows=500))
    app = create_app(service, Access(hosts=()))
    with TestClient(app, raise_server_exceptions=False) as made:
        yield made


@dataclass
class Running:
    """A service in a process of its own."""

    process: subprocess.Popen[str]
    url: str

    def stop(self) -> int:
        """Ask it to stop as a service manager does, and return its exit code."""
        self.process.terminate()
        return self.process.wait(60)


@pytest.fixture
def started() -> Iterator[Callable[..., Running]]:
    """Start `farthing serve` with options, on a free port."""
    made: list[Running] = []

    def start(*options: str, **environment: str) -> Running:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [sys.executable, "-c", "from farthing.app.cli.main import main; main()", "serve", "--port", str(port)]
        process = subprocess.Popen(
            [*command, "--quiet", *options], env={**os.environ, **environment}, stderr=subprocess.PIPE, text=True
        )
        running = Running(process, f"http://127.0.0.1:{port}")
        made.append(running)
        for _ in range(600):
            with suppress(httpx.TransportError):
                httpx.get(f"{running.url}/healthz")
                return running
            assert process.poll() is None, process.stderr.read() if process.stderr else ""
            time.sleep(0.1)
        pytest.fail("the service did not start")

    yield start
    for one in made:
        one.process.kill()
        one.process.communicate()


@pytest.fixture
def post(client: TestClient) -> Callable[..., Any]:
    """`post("/v1/score", {...}, 200)`: the answer, whose status must be this one."""

    def send(path: str, body: object, status: int = 200) -> Any:
        answer = client.post(path, json=body)
        assert answer.status_code == status, answer.text
        return answer.json()

    return send
