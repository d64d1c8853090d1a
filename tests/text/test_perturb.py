"""Changes of texts: what they must change, what they must keep, and that a seed fixes them."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from farthing.text import perturb
from farthing.text.perturb import HARMFUL

TEXT = 'On Monday the old mayor of New York was not happy: he sold 1,250 cheap huge cars to "Maria Lopez" in Lima.'
ALL = {**HARMFUL, "synonym": perturb.synonym}


def generator(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("name", ALL)
def test_every_change_applies_to_a_rich_text_and_a_seed_fixes_it(name: str) -> None:
    first = ALL[name](TEXT, generator(3))
    assert first is not None
    assert first != TEXT
    assert ALL[name](TEXT, generator(3)) == first
    assert len({ALL[name](TEXT, generator(seed)) for seed in range(30)}) > 1 or name == "negation"


@given(st.text(max_size=60), st.integers(0, 5))
def test_a_change_is_a_change_or_none_whatever_the_text(text: str, seed: int) -> None:
    for change in ALL.values():
        changed = change(text, generator(seed))
        assert changed is None or changed != " ".join(text.split())


@given(st.lists(st.sampled_from(["a", "b", "c", "dd", "ee", "7"]), min_size=1, max_size=12), st.integers(0, 5))
def test_orders_keep_the_words_drops_lose_some_repeats_add_some(words: list[str], seed: int) -> None:
    text, before = " ".join(words), Counter(words)
    for change in (perturb.shuffle_words, perturb.swap_neighbours):
        moved = change(text, generator(seed))
        assert moved is None or Counter(moved.split()) == before
    dropped = perturb.drop_words(text, generator(seed))
    assert dropped is None or (Counter(dropped.split()) < before and dropped)
    repeated = perturb.repeat_words(text, generator(seed))
    assert repeated is not None
    assert Counter(repeated.split()) > before
    assert set(repeated.split()) == set(before)


@pytest.mark.parametrize(
    ("name", "text", "changed"),
    [
        ("negation", "He was not there.", "He was there."),
        ("negation", "He was there.", "He was not there."),
        ("negation", "They haven't left.", "They have left."),
        ("name", "Yesterday Paris beat London.", "Yesterday London beat Paris."),
        ("name", "In New York, Mrs Smith won.", "In Mrs Smith, New York won."),
        ("antonym", "The GOOD one", "The BAD one"),
        ("antonym", "(Bigger)", "(Smaller)"),
        ("neighbours", "two words", "words two"),
    ],
)
def test_known_changes(name: str, text: str, changed: str) -> None:
    assert HARMFUL[name](text, generator()) == changed


@pytest.mark.parametrize("name", [name for name in ALL if name != "repeat"])
def test_nothing_to_change(name: str) -> None:
    assert ALL[name]("", generator()) is None
    assert ALL[name]("~", generator()) is None


def test_a_changed_number_keeps_its_length_and_its_surroundings() -> None:
    for seed in range(50):
        changed = perturb.change_number("(from 007%)", generator(seed))
        assert changed is not None
        assert changed[:6] == "(from "
        assert changed[-2:] == "%)"
        assert changed[6:9].isdigit()
        assert changed[6:9] != "007"
