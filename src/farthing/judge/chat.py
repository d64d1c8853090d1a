"""Read the answer of an endpoint that speaks the chat protocol."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from farthing.judge.reply import Reply, TryAgain

_GOES_ON = re.compile(r"[.,]?\d")  # some models write a number digit by digit


def chat_reply(content: bytes) -> Reply:
    """Read the first choice of an answer, and what it cost; garbage is worth another try."""
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError):
        raise TryAgain("the answer is no JSON") from None
    choice = _at(answer, "choices", 0)
    text = _at(choice, "message", "content")
    if not isinstance(text, str):
        raise TryAgain("the answer has no text")
    told, written = (_at(answer, "usage", name) for name in ("prompt_tokens", "completion_tokens"))
    return Reply(text, _alternatives(choice), *(n if isinstance(n, int) and n > 0 else 0 for n in (told, written)))


def _alternatives(choice: object) -> tuple[tuple[str, float], ...]:
    """Return what the first token that is a number might have been; nothing if the number goes on after it."""
    told = _at(choice, "logprobs", "content")
    tokens = told if isinstance(told, list) else []
    texts = [str(_at(token, "token") or "") for token in tokens]
    place = next((place for place, text in enumerate(texts) if text.strip().isdigit()), None)
    if place is None or _GOES_ON.match("".join(texts[place + 1 :])):
        return ()
    found = _at(tokens[place], "top_logprobs")
    return tuple(_alternative(one) for one in found) if isinstance(found, list) else ()


def _alternative(one: object) -> tuple[str, float]:
    chance = _at(one, "logprob")
    return str(_at(one, "token") or ""), float(chance) if isinstance(chance, int | float) else -1e9


def _at(value: object, *places: str | int) -> object:
    """Return what lies at a path of keys and indices; None if there is nothing."""
    for place in places:
        if isinstance(place, str):
            value = value.get(place) if isinstance(value, Mapping) else None
        else:
            value = value[place] if isinstance(value, list) and len(value) > place else None
    return value
