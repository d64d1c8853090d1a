"""Outputs that fail as wholes, in several scripts."""

from __future__ import annotations

import numpy as np
import pytest

from farthing.text.failures import FAILURES

ENGLISH = 'He said: "the river, which is old, runs north of the town."'
JAPANESE = "彼は言った、その川は町の北を流れている。"


@pytest.mark.parametrize("name", FAILURES)
@pytest.mark.parametrize("seed", range(20))
def test_a_failure_is_another_text_and_the_same_for_the_same_seed(name: str, seed: int) -> None:
    made = FAILURES[name](ENGLISH, np.random.default_rng(seed))
    assert made not in (None, "", ENGLISH)
    assert made == FAILURES[name](ENGLISH, np.random.default_rng(seed))


@pytest.mark.parametrize("seed", range(20))
def test_each_kind_does_what_it_says(seed: int) -> None:
    def make(name: str, text: str = ENGLISH) -> str:
        return FAILURES[name](text, np.random.default_rng(seed)) or ""

    for text in (ENGLISH, JAPANESE):
        assert text.startswith(make("truncated", text))
        assert 0.1 <= len(make("truncated", text)) / len(text) <= 0.8
        assert make("duplicated", text).startswith(text)
        assert sorted(make("gibberish", text)) == sorted(text)
    assert len(make("duplicated")) > 1.5 * len(ENGLISH)
    bare = "He said the river which is old runs north of the town"
    assert make("missing punctuation") in (bare, 'He said: "the river, which is old, runs north of the town')
    letters = [letter for letter in ENGLISH if letter.isalpha()]
    assert [letter for letter in make("wrong punctuation") if letter.isalpha()] == letters


@pytest.mark.parametrize(("name", "text"), [
    ("truncated", "a"), ("duplicated", ""), ("gibberish", "aaa"), ("missing punctuation", "no marks here"),
    ("missing punctuation", "…"), ("wrong punctuation", "word"),
])  # fmt: skip
def test_what_cannot_fail_is_left_alone(name: str, text: str) -> None:
    assert FAILURES[name](text, np.random.default_rng(0)) is None
