"""What was chosen, as values and as plain Python."""

from __future__ import annotations

import json

from farthing.core.signature import Signature
from farthing.scoring.choices import Choice, Choices

CHOICES = Choices((Choice(("b", "a"), (2.0, 1.0), (1, 0), "x"), Choice(("c",), (3.0,), (0,))), Signature("chrf"))


def test_choices_work_like_a_list() -> None:
    assert len(CHOICES) == 2
    assert [choice.text for choice in CHOICES] == CHOICES.texts == ["b", "c"]
    assert CHOICES[0].score == 2.0
    assert CHOICES.scores.tolist() == [2.0, 3.0]
    assert repr(CHOICES) == "<Choices chrf, 2 segments>"


def test_plain_values_go_through_json() -> None:
    first, second = json.loads(json.dumps(CHOICES.to_dict()))
    assert (first["id"], first["text"], first["score"], first["place"]) == ("x", "b", 2.0, 1)
    assert first["ranking"][1] == {"text": "a", "score": 1.0, "place": 0}
    assert second["id"] is None
