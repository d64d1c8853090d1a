"""Capitals, accents and small words: examples by hand, and what holds for all texts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farthing.students.case_gap import CASE_FEATURES, NAMES, case_gaps
from farthing.text.damage import DAMAGES

TEXT = st.one_of(
    st.text(max_size=30),
    st.lists(
        st.sampled_from(["The", "the", "Paris", "paris,", "Páris", "5", "five", "not", "he", "she.", "are", "кот"]),
        max_size=8,
    ).map(" ".join),
)  # fmt: skip


def told(candidate: str, reference: str) -> dict[str, float]:
    """The features that are not 0."""
    [row] = case_gaps([candidate], [reference])
    return {name: round(value, 6) for name, value in zip(NAMES, row.tolist(), strict=True) if value}


HALF = 0.5  # one word
TWO_THIRDS = 0.666667


@pytest.mark.parametrize(
    ("candidate", "reference", "expected"),
    [
        ("The cat sat.", "the cat sat.", {"case, share": 0.033333, "case": 0.090909}),  # a start of a sentence
        ("We saw it. the end", "We saw it. The end", {"case, share": 0.02, "case": 0.090909}),
        ("We like paris.", "We like Paris.", {"case, share": 0.333333, "case": HALF}),
        ("We Like Cats", "We like cats", {"case, share": TWO_THIRDS, "case": TWO_THIRDS}),
        ("We like Páris.", "We like Paris.", {"accents, share": 0.333333, "accents": HALF}),
        ("We like cats", "We like cats.", {}),  # punctuation is for others
        ("He has 15 cats", "He has 12 cats", {"numbers of the candidate": HALF, "numbers of the reference": HALF}),
        ("He has five cats", "He has 5 cats", {}),
        ("He has 1,650 cats", "He has 1650 cats", {}),
        ("He has 2.5 cats", "He has cats", {"numbers of the candidate": HALF}),
        ("It did not rain", "It did rain", {"negations": HALF}),
        ("It didn’t rain", "It did rain", {"negations": HALF}),
        ("It never did rain", "It did not rain", {}),
        ("He saw her", "She saw him", {}),  # of the same persons
        ("He slept", "She slept", {"pronouns of the candidate": HALF, "pronouns of the reference": HALF}),
        ("He's here", "He is here", {}),
        ("We met Maria and Tom", "We met a man", {"names of the candidate": TWO_THIRDS}),
        ("Maria slept", "Somebody slept", {}),  # at the start nearly every word has a capital
        ("We met a man", "We met Maria", {"names of the reference": HALF}),
        ("The dogs is here", "The dogs are here", {"endings": HALF}),
        ("He play there", "He plays there", {"endings": HALF}),
        ("昨天我们走了", "昨天他们走了", {}),
    ],
)
def test_by_hand(candidate: str, reference: str, expected: dict[str, float]) -> None:
    assert told(candidate, reference) == expected


def test_the_last_form_of_a_word_counts() -> None:
    """Whatever the order of a set is in this process."""
    assert told("Cat food is what the cat, eats", "dog food is what the CAT eats") == {
        "case, share": 0.142857,
        "case": HALF,
    }


def test_words_that_start_sentences_add_up_to_the_same_in_any_order() -> None:
    row = case_gaps(["a b. c d. e f. g"], ["A B. C D. E F. G"])[0]
    assert row[1] == (0.1 * 4 + 3) / (0.1 * 4 + 3 + 1)


@settings(max_examples=60)
@given(TEXT, TEXT)
def test_properties(first: str, second: str) -> None:
    found, turned = case_gaps([first, second], [second, first])
    assert np.isfinite(found).all()
    assert (found >= 0).all()
    assert (found <= 1).all()
    order = list(range(len(NAMES)))
    for place in [place for place, name in enumerate(NAMES) if name.endswith("candidate")]:
        order[place], order[place + 1] = place + 1, place  # the sides change places, all else stays
    assert found.tolist() == turned[order].tolist()
    assert not case_gaps([first], [first]).any()
    crossed = CASE_FEATURES.crossed([first, second], [second]).gaps(slice(0, 1))
    assert crossed.tolist() == [[found.tolist()]]


def test_no_pairs_and_no_words() -> None:
    assert case_gaps([], []).shape == (0, len(NAMES))
    assert not case_gaps(["", "."], [" ", ""]).any()
    assert told("", "Tom saw Maria 5 times") == {
        "numbers of the reference": HALF, "names of the reference": HALF,
    }  # fmt: skip


@pytest.mark.parametrize("kind", ["numbers", "negation", "names", "agreement", "pronouns", "case", "accents"])
def test_damage_is_seen(kind: str) -> None:
    text = "In May he was in Lima with her 12 friends, and they met Maria."
    for seed in range(20):
        damaged = DAMAGES[kind](text, np.random.default_rng(seed))
        assert case_gaps([str(damaged)], [text]).any()
