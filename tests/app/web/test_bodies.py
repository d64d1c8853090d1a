"""What requests may look like."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from farthing.app.web.bodies import CompareBody, RerankBody, ScoreBody, whole_text


def test_types_are_strict_and_keys_are_known() -> None:
    assert ScoreBody.model_validate_json('{"pairs": [{"candidate": "a"}]}').metrics == []
    for wrong in ('{"pairs": [{"candidate": 1}]}', '{"pairs": [{"candidate": "a", "file": "x"}]}', '{"pairs": []}'):
        with pytest.raises(ValidationError):
            ScoreBody.model_validate_json(wrong)


def test_a_whole_number_may_be_written_with_a_point() -> None:
    body = {"lists": [{"candidates": ["a"]}]}
    assert RerankBody.model_validate({**body, "top": 2.0}).top == 2
    for wrong in (0, 2.5, "2", True):
        with pytest.raises(ValidationError):
            RerankBody.model_validate({**body, "top": wrong})
    assert CompareBody.model_json_schema()["properties"]["seed"]["minimum"] == 0


def test_half_a_character_is_refused() -> None:
    assert whole_text("naïve 😀") == "naïve 😀"
    with pytest.raises(ValueError, match="half a character"):
        whole_text("\ud83d")
