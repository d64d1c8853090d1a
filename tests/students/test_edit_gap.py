"""Single edits: examples by hand, every kind of damage, and what holds for all texts."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farthing.students.edit_gap import (
    EDIT_FEATURES,
    NAMES,
    edit_gaps,
    edit_profile,
    exchanged_parts,
    extra_words,
    one_slip,
    same_word,
)
from farthing.text.damage import DAMAGES

# Sentences that are long enough to have edits, and that share most of their words.
WORDS = st.sampled_from(
    ["the", "The", "Paris", "Páris", "Rome", "5", "7", "not", "he", "she", "is", "are", "cats", "people", "poeple"]
)
SENTENCES = st.one_of(st.text(max_size=30), st.lists(WORDS, min_size=6, max_size=9).map(" ".join))


def told(candidate: str, reference: str) -> dict[str, float]:
    """The features that are not 0."""
    [row] = edit_gaps([candidate], [reference])
    return {name: round(value, 6) for name, value in zip(NAMES, row.tolist(), strict=True) if value}


HALF, TWO_THIRDS = 0.5, 0.666667  # one word, two words


@pytest.mark.parametrize(
    ("candidate", "reference", "expected"),
    [
        ("We saw 5 cats on the roof.", "We saw 7 cats on the roof.", {"numbers": HALF}),
        ("We saw five cats on the roof.", "We saw 5 cats on the roof.", {}),
        ("We paid 10,000 for all of it.", "We paid 10000 for all of it.", {}),
        ("He does not like it here today.", "He likes it here today, too.", {}),  # "too" differs as well
        ("He does not like it here today.", "He likes it very much here today.", {}),
        ("He does not like it here any more.", "He likes it here any more.", {"negation": HALF}),
        ("We met Anna there in the rain.", "We met Maria there in the rain.", {"names": HALF}),
        ("Dogs met Maria there in the rain.", "Cats met Maria there in the rain.", {}),  # every start has a capital
        ("The man bit the dog again.", "The dog bit the man again.", {"roles": HALF}),
        ("It rains in the mountains today.", "Today it rains in the mountains.", {}),  # moved, not exchanged
        ("The old cats sleeps here today.", "The old cats sleep here today.", {"agreement": HALF}),
        ("The old cat sleep here today.", "The old cats sleep here today.", {}),
        ("Then she saw it in town.", "Then he saw it in town.", {"pronouns": HALF}),
        ("We left the house early that evening.", "We left the house early today.", {}),
        ("We left the old house early that evening.", "We left the old house early.", {"additions": TWO_THIRDS}),
        ("We left the house very early today.", "We left the house early today.", {}),  # one word more
        ("We left the house very early.", "We left the house very early for no reason.", {}),  # an omission
        ("Then we left the house early again.", "We left the house early.", {}),  # in two places
        ("Shut the old window, it is cold in here.", "Shut the old window, it is cold.", {}),  # small words
        ("This feels really special to us all.", "This does feel really special to us all.", {}),  # "does" asks for it
        ("We saw the President in the house.", "We saw the president in the house.", {}),  # one capital
        ("We’ve left the house early today.", "We have left the house early today.", {}),
        ("we Left the Old house early", "We left the old house early", {"case": TWO_THIRDS}),
        ("We saw the streets of Páris.", "We saw the streets of Paris.", {"accents": HALF}),
        ("Many poeple left the house early.", "Many people left the house early.", {"spelling": HALF}),
        ("The color of the door is new.", "The colour of the door is new.", {}),
        ("We saw 5 dogs on the roof.", "We saw 7 cats on the roof.", {}),  # another word differs as well
        ("We saw 5 cats.", "We saw 7 cats.", {}),  # too short to be otherwise alike
        ("", "We saw 7 cats.", {}),
        ("5", "", {}),
    ],
)
def test_edits_by_hand(candidate: str, reference: str, expected: dict[str, float]) -> None:
    assert told(candidate, reference) == expected


@given(SENTENCES, SENTENCES)
def test_a_extra_words_is_what_counters_subtract(one: str, two: str) -> None:
    own, other = edit_profile(one), edit_profile(two)
    assert extra_words(own, other) == Counter(own.lows) - Counter(other.lows)


SENTENCE = "In 1990 Maria and John saw that the café on the hill was closed, and she told them about it on Monday."


@pytest.mark.parametrize("kind", DAMAGES)
def test_every_kind_of_damage_is_seen(kind: str) -> None:
    random = np.random.default_rng(1)
    damaged = [DAMAGES[kind](SENTENCE, random) for _ in range(20)]
    found = [told(text or "", SENTENCE) for text in damaged]
    assert all(found)  # exchanged pronouns are told as pronouns, and a misspelt name as another name
    assert any(kind in one for one in found)


def test_a_paraphrase_has_no_edit() -> None:
    assert told("Since the place uphill was shut, she informed both of them at the start of the week.", SENTENCE) == {}


@settings(max_examples=150)
@given(SENTENCES, SENTENCES)
def test_from_0_to_1_and_0_for_equal_texts(first: str, second: str) -> None:
    gaps = edit_gaps([first, first], [second, first])
    assert (gaps >= 0).all()
    assert (gaps < 1).all()
    assert not gaps[1].any()


@settings(max_examples=50)
@given(st.lists(SENTENCES, min_size=1, max_size=3), st.lists(SENTENCES, min_size=1, max_size=3))
def test_lists_give_what_pairs_give(candidates: list[str], references: list[str]) -> None:
    crossed = EDIT_FEATURES.crossed(candidates, references).gaps(slice(None))
    for place, candidate in enumerate(candidates):
        np.testing.assert_array_equal(crossed[place], edit_gaps([candidate] * len(references), references))


def edits_of(word: str) -> set[str]:
    """Every text that is one typing mistake away, by brute force."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    parts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    less = {a + b[1:] for a, b in parts if b}
    crossed = {a + b[1] + b[0] + b[2:] for a, b in parts if len(b) > 1}
    other = {a + letter + b[1:] for a, b in parts if b for letter in letters}
    more = {a + letter + b for a, b in parts for letter in letters}
    return {text for text in less | crossed | other | more if text != word and text[:1] == word[0] and len(text) > 3}


def test_one_slip_is_one_typing_mistake() -> None:
    for word in ("letter", "form", "aabab"):
        near = edits_of(word)
        assert all(one_slip(word, other) and one_slip(other, word) for other in near)
        far = {two for one in sorted(near)[:20] for two in edits_of(one)} - near - {word}
        assert not any(one_slip(word, other) for other in far)


def test_exchanged_parts_by_brute_force() -> None:
    words = list("abcdef")
    for first in range(6):
        for end in range(first + 1, 7):
            for second in range(end, 6):
                for last in range(second + 1, 7):
                    a, b = words[first:end], words[second:last]
                    changed = [*words[:first], *b, *words[end:second], *a, *words[last:]]
                    assert exchanged_parts(changed, words) == (second > end)


def test_spelling_of_two_countries() -> None:
    same = [("organise", "organize"), ("theatre", "theater"), ("travelled", "traveled")]
    assert all(same_word(*pair) for pair in same)
    assert not same_word("causal", "casual")
