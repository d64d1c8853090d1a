"""The application as a whole: its document, fuzzing, disconnects and the end."""

from __future__ import annotations

import json
import random
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

from farthing.app.web.application import create_app
from farthing.service.limits import Limits
from farthing.service.service import Service


def test_the_document_has_every_path_and_the_limits(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    assert sorted(document["paths"]) == [
        "/healthz", "/metrics", "/v1/align", "/v1/compare", "/v1/metrics", "/v1/read", "/v1/report", "/v1/rerank",
        "/v1/score",
    ]  # fmt: skip
    schemas = document["components"]["schemas"]
    assert schemas["ScoreBody"]["properties"]["pairs"]["maxItems"] == 500  # that of the fixture
    for path, methods in document["paths"].items():
        for operation in methods.values():
            assert "429" in operation["responses"], path
            assert operation["summary"]


def test_a_disconnect_frees_its_place(started: Callable[..., Any]) -> None:
    running = started("--max-queue", "52000")
    pairs = [
        {"candidate": f"the cat {row} sat on the mat", "references": [f"a cat {row} sat down"]} for row in range(3000)
    ]
    body = json.dumps({"pairs": pairs, "metrics": ["chrf"]}).encode()
    headers = (
        "POST /v1/score HTTP/1.1",
        "Host: localhost",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
    )
    head = "\r\n".join([*headers, "", ""])
    with socket.create_connection(("127.0.0.1", int(running.url.rpartition(":")[2]))) as sent:
        sent.sendall(head.encode() + body)
        _until(running.url, lambda waiting: waiting > 25_000)
        refused = httpx.post(f"{running.url}/v1/score", content=body, headers={"Content-Type": "application/json"})
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) >= 1
    _until(running.url, lambda waiting: waiting == 0)
    small = {"pairs": pairs[:10], "metrics": ["chrf"]}
    assert httpx.post(f"{running.url}/v1/score", json=small, timeout=60).status_code == 200


def _until(url: str, reached: Callable[[float], bool]) -> None:
    """Wait until the tokens in the queue are so."""
    for _ in range(600):
        lines = dict(line.rsplit(" ", 1) for line in httpx.get(f"{url}/metrics").text.splitlines() if line[0] != "#")
        if reached(float(lines["farthing_queue_tokens"])):
            return
        time.sleep(0.05)
    pytest.fail("the queue never was so")


def test_sigterm_finishes_what_was_accepted(started: Callable[..., Any]) -> None:
    running = started()
    pairs = [{"candidate": f"the cat {row} sat", "references": [f"a cat {row} sat down"]} for row in range(1500)]
    answers: list[httpx.Response] = []
    ask = threading.Thread(
        target=lambda: answers.append(
            httpx.post(f"{running.url}/v1/score", json={"pairs": pairs, "metrics": ["chrf"]}, timeout=120)
        )
    )
    ask.start()
    _until(running.url, lambda waiting: waiting > 0)
    assert running.stop() in (0, -15)
    ask.join(120)
    assert answers[0].status_code == 200
    assert len(answers[0].json()["results"][0]["segments"]) == 1500


def test_random_bodies_leave_it_serving() -> None:
    """A small form of what `make fuzz` does ten thousand times."""
    chance = random.Random(7)
    service = Service(Limits(seconds=60))
    good = {"pairs": [{"candidate": "the cat", "references": ["a cat"]}], "metrics": ["chrf"]}
    with TestClient(create_app(service), base_url="http://localhost", raise_server_exceptions=False) as client:
        for _ in range(150):
            raw = bytearray(json.dumps(good).encode())
            for _ in range(chance.randint(1, 6)):
                raw[chance.randrange(len(raw))] = chance.randrange(256)
            path = chance.choice(["/v1/score", "/v1/compare", "/v1/align", "/v1/rerank"])
            answer = client.post(path, content=bytes(raw), headers={"Content-Type": "application/json"})
            assert answer.status_code in (200, 400, 403, 409, 413, 422), answer.text
            assert "Traceback" not in answer.text
        assert client.post("/v1/score", json=good).status_code == 200
