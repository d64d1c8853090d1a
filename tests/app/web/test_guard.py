"""Who may ask, and how much."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from starlette.datastructures import Headers

from farthing.app.web.application import create_app
from farthing.app.web.guard import Access
from farthing.service.limits import Limits
from farthing.service.service import Service

TOKEN = "a-token-of-some-length"


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8000", 200),
        ("127.0.0.1", 200),
        ("[::1]:80", 200),
        ("evil.example", 403),
        ("evil.example:8000", 403),
        ("", 403),
    ],
)
def test_a_page_of_another_name_cannot_ask(host: str, status: int) -> None:
    refused = Access().refusal("/v1/metrics", Headers({"host": host}))
    assert (200 if refused is None else refused.status_code) == status
    assert Access(hosts=()).refusal("/v1/metrics", Headers({"host": host})) is None


@pytest.fixture(scope="module")
def guarded() -> Iterator[TestClient]:
    app = create_app(Service(Limits(body=1000, requests=1)), Access(TOKEN, ()))
    with TestClient(app) as made:
        yield made


def test_the_token_is_needed_for_texts_and_counts_but_not_for_the_page(guarded: TestClient) -> None:
    for path in ("/v1/metrics", "/metrics", "/nothing"):
        refused = guarded.get(path)
        assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
        assert "a token is needed" in refused.json()["error"]
    for wrong in ("x", "", TOKEN[:-1], TOKEN + "x", "é"):
        assert guarded.get("/metrics", headers={"Authorization": f"Bearer {wrong}".encode()}).status_code == 401
    assert guarded.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
    for path in ("/", "/healthz", "/openapi.json", "/assets/style.css"):
        assert guarded.get(path).status_code == 200


def test_a_body_is_not_larger_than_allowed(guarded: TestClient) -> None:
    sent = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    told = guarded.post("/v1/score", content=b"x" * 1001, headers=sent)
    assert told.status_code == 413
    assert "larger than the 1000 bytes" in told.json()["error"]
    in_parts = guarded.post("/v1/score", content=(b"x" * 100 for _ in range(20)), headers=sent)
    assert in_parts.status_code == 413


def test_every_answer_has_the_headers_of_a_careful_service(guarded: TestClient) -> None:
    for path in ("/", "/v1/metrics", "/nothing"):
        headers = guarded.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert headers["x-content-type-options"] == "nosniff"
