"""Limits and the estimate of tokens."""

from __future__ import annotations

import pytest

from farthing.core.errors import UsageError
from farthing.service.limits import Busy, Limits, TooLarge, TooMany, all_tokens, text_tokens


def test_limits_are_above_zero() -> None:
    with pytest.raises(UsageError, match="rows=0 must be above 0"):
        Limits(rows=0)


def test_what_is_too_much_is_a_sentence() -> None:
    limits = Limits(characters=5)
    with pytest.raises(TooMany, match="3 rows are more than the 2"):
        limits.check_count("rows", 3, 2)
    with pytest.raises(TooLarge, match="a text of 6 characters"):
        limits.check_texts(["12345", "123456"])
    with pytest.raises(TooLarge):
        limits.check_texts(["123"], most=2)
    limits.check_texts(["12345"])


def test_seconds_to_wait_are_whole_and_at_least_one() -> None:
    assert [Busy(seconds).seconds for seconds in (-3, 0.1, 1.0, 1.1)] == [1, 1, 1, 2]


def test_tokens_grow_with_the_bytes() -> None:
    assert text_tokens("a" * 400) == 102
    assert text_tokens("猫" * 400) == 302
    assert text_tokens("\ud800") == 2  # half a character is counted, not refused
    assert all_tokens(["", "abcd"]) == 5


def test_the_estimate_is_near_a_real_tokenizer() -> None:
    from farthing.core.registry import load
    from farthing.metrics.frugalscore import FrugalScore

    metric = load("frugalscore(size=small)")
    assert isinstance(metric, FrugalScore)
    text = "The committee could not agree on the budget, so the decision was postponed until the end of the month."
    [ids] = metric.student.tokenizer.contents([text])  # type: ignore[attr-defined]
    assert 0.5 < text_tokens(text) / (len(ids) + 2) < 2
