"""Roles that are exchanged, and texts in which there is nothing to exchange."""

from __future__ import annotations

import numpy as np
import pytest

from farthing.text.roles import before_noun, exchange_roles


def all_of(text: str) -> set[str | None]:
    return {exchange_roles(text, np.random.default_rng(seed)) for seed in range(40)}


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("The dog chased a small cat.", "A small cat chased the dog."),
        ("A man is riding a horse.", "A horse is riding a man."),
        ("A man plays the flute.", "The flute plays a man."),
        ("His mother left the old house.", "The old house left his mother."),
        ("Yesterday Maria lent Anton the money.", "Yesterday Anton lent Maria the money."),
        ("He told me.", "I told him."),
        ("Then they saw her.", "Then she saw them."),
    ],
)
def test_who_does_what_to_whom(text: str, changed: str) -> None:
    assert changed in all_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Birds sing.",
        "The cat and the dog slept.",  # the order of two that do the same means nothing
        "The price of the house rose.",
        "The cat slept, the dog barked.",
        "You saw it.",
        "She saw her dog.",
        "In March Maria and Anton met.",
        "He gave the book to the book.",
    ],
)
def test_nothing_to_exchange(text: str) -> None:
    assert all_of(text) == {None}


def test_a_possessive_stands_before_a_noun() -> None:
    assert before_noun(["saw", "her", "dog"], 1)
    assert not before_noun(["saw", "her", "in"], 1)
    assert not before_noun(["saw", "her."], 1)
