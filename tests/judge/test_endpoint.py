"""An endpoint on loopback, and everything that it may do wrong."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

import pytest

from farthing.core.errors import SpecError
from farthing.judge.endpoint import Endpoint
from farthing.judge.reply import JudgeError, JudgeQuestion, RowRefused, TryAgain

Start = Callable[..., Any]
QUESTION = JudgeQuestion("key", {"candidate": "x"}, ({"role": "user", "content": "Rate #7#"},))


def test_a_request_holds_the_settings_and_the_key(judge_server: Start, with_key: str) -> None:
    server = judge_server()
    reply = Endpoint(server.url, "m", with_key, {"temperature": 0.0}).ask(QUESTION)
    assert (reply.text, reply.tokens_in) == ("7", 20)
    wanted = {"model": "m", "messages": list(QUESTION.messages), "stream": False, "temperature": 0.0}
    assert server.bodies[0] == wanted
    assert server.keys == {"Bearer sk-secret-0123456789abcdef"}


def test_without_a_key_none_is_sent(judge_server: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    server = judge_server()
    Endpoint(server.url, "m").ask(QUESTION)
    assert server.keys == {""}


@pytest.mark.parametrize(
    ("fault", "error", "sentence"),
    [
        ("rate", TryAgain, "HTTP 429"), ("error", TryAgain, "HTTP 500"), ("half", TryAgain, "middle|broke"),
        ("garbage", TryAgain, "no JSON"), ("empty", TryAgain, "no text"), ("drop", TryAgain, "broke"),
        ("hang", TryAgain, "within 0.2 seconds"),
        ("slow", TryAgain, "slowly|within"),
        ("key", JudgeError, "does not accept the key in .TEST_JUDGE_KEY"), ("wrong", RowRefused, "no such parameter"),
        ("missing", JudgeError, "nor the model 'm'"), ("move", JudgeError, "HTTP 302.: give that"),
        ("detail", RowRefused, ": unexpected fields$"), ("page", TryAgain, "HTTP 502$"),
    ],
)  # fmt: skip
def test_failures(judge_server: Start, with_key: str, fault: str, error: type[Exception], sentence: str) -> None:
    server = judge_server(lambda row, attempt: fault)
    with pytest.raises(error, match=sentence) as caught:
        Endpoint(server.url, "m", with_key, timeout=0.2 if fault in ("hang", "slow") else 30).ask(QUESTION)
    assert "sk-secret" not in str(caught.value)
    assert "sk-secret" not in repr(caught.value.__context__)


def test_an_endpoint_may_ask_for_a_pause(judge_server: Start) -> None:
    with pytest.raises(TryAgain) as caught:
        Endpoint(judge_server(lambda row, attempt: "rate").url, "m").ask(QUESTION)
    assert caught.value.wait == 0.01


def test_nobody_is_there() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(TryAgain, match="cannot be reached") as caught:
        Endpoint(f"http://127.0.0.1:{port}", "m").ask(QUESTION)
    assert caught.value.unreachable


@pytest.mark.parametrize(
    "url", ["example.com/v1", "ftp://example.com", "https://me:pass@example.com/v1", "https://example.com/v1?key=pass"]
)
def test_addresses_that_are_refused_do_not_show_what_they_hold(url: str) -> None:
    with pytest.raises(SpecError) as caught:
        Endpoint(url, "m")
    assert "pass" not in str(caught.value).replace("password", "")


def test_a_key_that_cannot_be_a_header_is_refused(judge_server: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ODD_KEY", "a\nb")
    with pytest.raises(JudgeError, match="ODD_KEY"):
        Endpoint(judge_server().url, "m", "ODD_KEY").ask(QUESTION)
