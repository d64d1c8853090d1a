"""The paths with one answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi.testclient import TestClient

import farthing
from farthing.core.version import __version__
from farthing.service.allowed import ALLOWED

Post = Callable[..., Any]


def test_align(post: Post) -> None:
    found = post("/v1/align", {"candidate": "the cat", "reference": "a cat", "metric": "frugalscore(size=nano)"})
    assert found["candidate"] == ["the", "cat"]
    assert found["score"] == farthing.score(["the cat"], ["a cat"], "frugalscore(size=nano)").corpus
    assert "there is nothing to align" in post("/v1/align", {"candidate": "", "reference": "a"}, 409)["error"]


def test_rerank(post: Post) -> None:
    lists = [{"candidates": ["dogs", "the cat sat"], "references": ["a cat sat"]}]
    found = post("/v1/rerank", {"lists": lists, "metric": "chrf", "top": 2})
    assert found["choices"] == farthing.rerank([lists[0]["candidates"]], [["a cat sat"]], "chrf", top=2).to_dict()
    assert found["signature"].startswith("chrf|")


def test_read(client: TestClient) -> None:
    sent = {"Content-Type": "application/octet-stream"}
    found = client.post("/v1/read", params={"name": "a.tsv"}, content=b"mt\tref\nx\ty\n", headers=sent)
    assert found.json() == {"systems": {"a.tsv": ["x"]}, "references": [["y"]], "sources": None}
    wrong = client.post("/v1/read", params={"name": "a.txt"}, content=b"\xff", headers=sent)
    assert wrong.status_code == 409
    assert "a.txt:1: not UTF-8" in wrong.json()["error"]
    assert client.post("/v1/read", params={"name": "a", "role": "x"}, content=b"y").status_code == 422


def test_what_the_service_says_of_itself(client: TestClient) -> None:
    listed = client.get("/v1/metrics").json()
    assert listed["default"] == "frugalscore"
    assert {one["name"] for one in listed["metrics"]} <= set(ALLOWED)
    assert client.get("/healthz").json() == {"status": "ok", "farthing": __version__}
    counts = client.get("/metrics")
    assert counts.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert 'farthing_requests_total{path="/healthz",status="200"}' in counts.text
