"""Answers as judges give them, and the scores that a person reads in them."""

from __future__ import annotations

import math

import pytest

from farthing.judge.reply import Reply
from farthing.judge.rules import AnswerRule


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("85", 85), (" 85.5\n", 85.5), ("Score: 85", 85), ("**85**", 85), ("85/100", 85), ("85 out of 100", 85),
        ("On a scale from 0 to 100:\n72", 72), ("I give 60 of 80 points.", None), ("85 85", 85), ("", None),
        ("none", None), ("142", None), ("-3", None), ("eighty", None), ("The year 2024 was good. 90", 90),
        ("7,5", 7.5), ("v2 of the text: 40", 40), ("1e3", None), ("90%", 90),
    ],
)  # fmt: skip
def test_numbers(answer: str, score: float | None) -> None:
    assert AnswerRule("number").read(Reply(answer)) == score


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ('{"score": 4}', 4), ('Sure!\n```json\n{"score": 4.5}\n```', 4.5), ('I think {"score": "3"} fits', 3),
        ('{"score": true}', None), ('{"grade": 4}', None), ("4", None), ('{"score": 9}', None),
        ('{"score": [1]}', None),
        ('{"score": "x"}', None), ("{", None),
    ],
)  # fmt: skip
def test_fields_of_json(answer: str, score: float | None) -> None:
    assert AnswerRule("json", low=1, high=5).read(Reply(answer)) == score


def test_a_field_within_a_field() -> None:
    assert AnswerRule("json", field="a.b").read(Reply('{"a": {"b": 7}}')) == 7


def test_expected_values_weigh_the_alternatives() -> None:
    rule = AnswerRule("expected", low=1, high=5)
    told = (("4", math.log(0.5)), (" 2", math.log(0.25)), ("9", math.log(0.2)), ("x", math.log(0.05)))
    assert rule.read(Reply("4", told)) == pytest.approx((4 * 0.5 + 2 * 0.25) / 0.75)
    assert rule.read(Reply("4")) == 4
    assert rule.read(Reply("well", (("x", 0.0),))) is None


def test_digits_that_may_go_on_are_no_expected_value() -> None:
    """A model that writes digits one by one may mean 10 by a 1; one that knows whole numbers shows some."""
    digits, whole = (("8", math.log(0.5)), ("1", math.log(0.5))), (("8", math.log(0.5)), ("10", math.log(0.5)))
    rule = AnswerRule("expected", low=1, high=10)
    assert rule.read(Reply("8", digits)) == 8
    assert rule.read(Reply("8", whole)) == pytest.approx(9)


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ('{"errors": []}', 25),
        ('{"errors": [{"severity": "major"}, {"severity": "Minor"}]}', 19),
        ('{"errors": [{"severity": "critical"}, {"severity": "critical"}, {"severity": "critical"}]}', 0),
        ('{"errors": [{"severity": "odd"}]}', None), ('{"errors": ["minor"]}', None), ('{"errors": 3}', None),
    ],
)  # fmt: skip
def test_lists_of_errors(answer: str, score: float | None) -> None:
    assert AnswerRule("errors", field="errors", high=25).read(Reply(answer)) == score


def test_reminders_say_what_is_wanted() -> None:
    assert "1 to 5" in AnswerRule("number", low=1, high=5).reminder
    assert '"score"' in AnswerRule("json").reminder
    assert "list of errors" in AnswerRule("errors").reminder
