"""The limits of a service are in its document."""

from __future__ import annotations

from farthing.app.web.application import create_app
from farthing.app.web.documents import ERRORS, answers, with_limits
from farthing.service.limits import Limits
from farthing.service.service import Service


def test_limits_are_where_lists_are() -> None:
    limits = Limits(rows=11, references=3, metrics=2, systems=4, resamples=7)
    schemas = create_app(Service(limits)).openapi()["components"]["schemas"]
    assert schemas["ScoreBody"]["properties"]["pairs"]["maxItems"] == 11
    assert schemas["ScoreBody"]["properties"]["metrics"]["maxItems"] == 2
    assert schemas["PairBody"]["properties"]["references"]["maxItems"] == 3
    assert schemas["CompareBody"]["properties"]["systems"]["maxProperties"] == 4
    assert schemas["CompareBody"]["properties"]["resamples"]["maximum"] == 7


def test_an_answer_may_have_two_forms() -> None:
    assert answers(None, "text/plain")[200]["content"] == {"text/plain": {"schema": {"type": "string"}}}
    assert with_limits({"components": {"schemas": {}}}, Limits()) == {"components": {"schemas": {}}}
    assert all(text.endswith(".") for text in ERRORS.values())
