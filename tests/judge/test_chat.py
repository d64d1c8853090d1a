"""Answers of endpoints, whole and broken."""

from __future__ import annotations

import json

import pytest

from farthing.judge.chat import chat_reply
from farthing.judge.reply import TryAgain


def test_an_answer_has_text_cost_and_alternatives() -> None:
    top = [{"token": "4", "logprob": -0.5}, {"token": "5", "logprob": None}]
    content = {
        "choices": [{"message": {"content": "4"}, "logprobs": {"content": [{"token": "4", "top_logprobs": top}]}}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 1},
    }
    reply = chat_reply(json.dumps(content).encode())
    assert (reply.text, reply.tokens_in, reply.tokens_out) == ("4", 7, 1)
    assert reply.alternatives == (("4", -0.5), ("5", -1e9))


@pytest.mark.parametrize(
    "content", [b"", b"<html>", b"[]", b"{}", b'{"choices": []}', b'{"choices": [{"message": {"content": null}}]}']
)
def test_what_is_no_answer_is_asked_for_again(content: bytes) -> None:
    with pytest.raises(TryAgain):
        chat_reply(content)


def test_what_an_endpoint_does_not_count_is_zero() -> None:
    reply = chat_reply(b'{"choices": [{"message": {"content": "1"}, "logprobs": {"content": 5}}], "usage": null}')
    assert (reply.tokens_in, reply.tokens_out, reply.alternatives) == (0, 0, ())


@pytest.mark.parametrize(
    ("tokens", "known"), [(["8", "5"], False), (["4", ".", "5"], False), (["4", "."], True), (["Score", " 4"], True)]
)
def test_a_number_in_several_tokens_has_no_alternatives(tokens: list[str], known: bool) -> None:
    told = [{"token": text, "top_logprobs": [{"token": text, "logprob": 0.0}]} for text in tokens]
    content = {"choices": [{"message": {"content": "".join(tokens)}, "logprobs": {"content": told}}]}
    assert bool(chat_reply(json.dumps(content).encode()).alternatives) == known
