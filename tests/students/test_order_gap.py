"""What the feature of order sees: moved words, in any language, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farthing.students.order_gap import ORDER_FEATURES, neighbours_of, order_gaps

TEXTS = st.text(alphabet="ab 猫ไ", max_size=12)


def by_hand(candidate: list[str], reference: list[str]) -> float:
    """Count neighbours of the candidate that the reference has apart, by brute force."""
    left = [tuple(reference[at : at + 2]) for at in range(len(reference) - 1)]
    moved = 0
    for at in range(len(candidate) - 1):
        two = tuple(candidate[at : at + 2])
        if all(unit in reference for unit in two):
            if two in left:
                left.remove(two)
            else:
                moved += 1
    shared = sum(min(candidate.count(unit), reference.count(unit)) for unit in set(candidate))
    return moved / max(len(candidate), len(reference)) if shared > 1 else 0.0


@pytest.mark.parametrize(
    ("candidate", "reference", "gap"),
    [
        ("the man bit the dog", "the dog bit the man", 1 / 5),
        ("Der Mann sah den Hund.", "den Hund sah der Mann", 2 / 5),
        ("собаки кусают людей", "собак кусают люди", 0.0),  # other forms, the same order
        ("猫追狗", "狗追猫", 2 / 3),
        ("หมา", "หมา", 0.0),
        ("", "a b", 0.0),
    ],
)
def test_moved_neighbours_count(candidate: str, reference: str, gap: float) -> None:
    assert order_gaps([candidate], [reference])[0, 0] == pytest.approx(gap)


@settings(max_examples=200)
@given(TEXTS, TEXTS)
def test_equals_a_count_by_hand_and_is_0_for_equal_texts(first: str, second: str) -> None:
    units = [text.split() for text in (first, second)]
    found = order_gaps([first, first], [second, first])
    assert found[1, 0] == 0
    if first.isascii() and second.isascii():
        assert found[0, 0] == pytest.approx(by_hand(*units))


@settings(max_examples=50)
@given(st.lists(TEXTS, min_size=1, max_size=3), st.lists(TEXTS, min_size=1, max_size=3))
def test_lists_give_what_pairs_give(candidates: list[str], references: list[str]) -> None:
    crossed = ORDER_FEATURES.crossed(candidates, references).gaps(slice(None))
    for place, candidate in enumerate(candidates):
        np.testing.assert_array_equal(crossed[place], order_gaps([candidate] * len(references), references))


def test_units_are_words_or_characters_without_spaces() -> None:
    assert list(neighbours_of("Zwei Katzen, 猫と犬 2024!").single) == ["zwei", "katzen", "猫", "と", "犬", "2024"]
