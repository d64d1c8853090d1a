"""Errors as JSON sentences."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from farthing.app.web.replies import OURS, error_reply, json_bytes, told_error
from farthing.core.errors import UsageError
from farthing.service.allowed import NotAllowed
from farthing.service.limits import Busy, TooLarge, TooMany

Post = Callable[..., Any]


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (UsageError("a\nb"), 409), (NotAllowed("x"), 403), (TooLarge("x"), 413), (TooMany("x"), 422), (Busy(3), 429),
        (TimeoutError(), 504),
    ],
)  # fmt: skip
def test_every_error_has_its_status(error: Exception, status: int) -> None:
    answer = error_reply(error)
    assert answer.status_code == status
    sentence = json.loads(bytes(answer.body))["error"]
    assert sentence
    assert "\n" not in sentence
    assert answer.headers.get("retry-after") == ("3" if status == 429 else None)


def test_what_nobody_foresaw_is_logged_but_not_told(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        assert told_error(KeyError("secret")) == (500, OURS)
    assert "secret" in caplog.text


def test_numbers_that_json_does_not_know_are_null() -> None:
    assert json_bytes({"a": (float("inf"), "é", None)}) == '{"a":[null,"é",null]}'.encode()


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({}, "pairs: field required"),
        ({"pairs": []}, "pairs: list should have at least 1 item"),
        ({"pairs": [{"candidate": 1}]}, "pairs.0.candidate: input should be a valid string"),
        ({"pairs": [{"candidate": "a", "path": "/etc"}]}, "pairs.0.path: extra inputs are not permitted"),
        ({"pairs": [{"candidate": "a"}], "metrics": "chrf"}, "metrics: input should be a valid list"),
    ],
)
def test_a_wrong_body_is_told_by_its_place(post: Post, body: object, sentence: str) -> None:
    assert post("/v1/score", body, 422)["error"].startswith(sentence)


def test_unknown_addresses_methods_and_bytes(client: TestClient) -> None:
    assert "there is nothing at this address" in client.get("/nothing").json()["error"]
    wrong = client.get("/v1/score")
    assert (wrong.status_code, wrong.headers["allow"]) == (405, "POST")
    sent = {"Content-Type": "application/json"}
    for content in (b"{", b"\xff", b"[" * 100_000, b'{"pairs": [{"candidate": "\\ud800"}]}', b"null", b""):
        answer = client.post("/v1/score", content=content, headers=sent)
        assert answer.status_code in (400, 422), content[:20]
        assert answer.json()["error"]
    assert client.post("/v1/score", content=b"a=b").status_code == 422
