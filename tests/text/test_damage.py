"""Ten kinds of damage: what each changes, what it keeps, when it does not apply, and that a seed fixes it."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from farthing.text.damage import DAMAGES
from farthing.text.lexicon import DAYS, MORE_NAMES

TEXT = "On Monday her old mayor of Lima was happy: he gave the 12 letters to Maria Lopez in their garden."


def generator(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def all_of(kind: str, text: str, seeds: int = 60) -> set[str | None]:
    return {DAMAGES[kind](text, generator(seed)) for seed in range(seeds)}


@pytest.mark.parametrize("kind", DAMAGES)
def test_every_kind_applies_to_a_rich_text_and_a_seed_fixes_it(kind: str) -> None:
    first = DAMAGES[kind](TEXT, generator(3))
    assert first is not None
    assert first != TEXT
    assert DAMAGES[kind](TEXT, generator(3)) == first


@given(
    st.one_of(st.text(max_size=60), st.text(alphabet="aAé is He Paris .,\"'’ 3 them", max_size=60)), st.integers(0, 5)
)
def test_damage_is_a_change_or_none_whatever_the_text(text: str, seed: int) -> None:
    for damage in DAMAGES.values():
        assert damage(text, generator(seed)) != " ".join(text.split())


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("numbers", "No digit here."),
        ("negation", "He sings."),
        ("names", "The cat sat there."),
        ("names", "Two Big Headlines In Capitals"),
        ("roles", "Birds sing."),
        ("agreement", "I ought to go."),
        ("pronouns", "The cat sat there."),
        ("pronouns", "It rains where you are."),
        ("additions", "Two words"),
        ("accents", "12 %"),
        ("spelling", "A cat is in."),
    ],
)
def test_nothing_to_damage(kind: str, text: str) -> None:
    assert all_of(kind, text) == {None}


def test_a_name_becomes_another_one_of_its_kind() -> None:
    found = {
        text.removeprefix("We met ").removesuffix(" here.") for text in all_of("names", "We met Maria here.") if text
    }
    assert found <= set(MORE_NAMES)
    assert len(found) > 10
    days = {
        str(text).removeprefix("It rained on ").removesuffix(".") for text in all_of("names", "It rained on Friday.")
    }
    assert days == set(DAYS) - {"Friday"}
    assert all(str(text).endswith("'s car was red.") for text in all_of("names", "They saw that Maria's car was red."))
    assert all_of("names", "They saw that Mr. Smith was here.") == {None}  # a title is no name


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("She is here.", {"She are here."}),
        ("They were late.", {"They was late."}),
        ("He plays and they sing.", {"He play and they sing.", "He plays and they sings."}),
        ("Isn't it?", {"Aren't it?"}),
        ("He wants to play.", {"He want to play."}),  # "to play" is no form that must agree
        ("Dogs have tails.", {"Dogs has tails."}),
    ],
)
def test_verbs_disagree(text: str, wrong: set[str]) -> None:
    assert all_of("agreement", text) == wrong


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("He slept.", {"She slept."}),
        ("We slept.", {"They slept.", "You slept."}),
        ("I slept.", {"We slept.", "They slept.", "You slept."}),
        ("I am here.", {None}),
        ("Tom saw her.", {f"Tom saw {other}." for other in ("me", "you", "him", "us", "them")}),
        ("Tom saw her dog.", {f"Tom saw {other} dog." for other in ("my", "your", "his", "our", "their")}),
        ("Tom saw her in town.", {f"Tom saw {other} in town." for other in ("me", "you", "him", "us", "them")}),
    ],
)
def test_pronouns_become_those_of_other_persons(text: str, wrong: set[str | None]) -> None:
    assert all_of("pronouns", text) == wrong


def test_an_addition_keeps_every_word() -> None:
    for text in all_of("additions", "He sat with us in town."):
        assert text is not None
        assert text.endswith(".")
        words = iter(text.rstrip(".").split())
        assert all(word in words for word in ["He", "sat", "with", "us", "in", "town"])  # in this order
        assert len(text.split()) > 6
        assert "{" not in text


def test_wrong_capitals_change_nothing_else() -> None:
    found = all_of("case", "The man saw Maria in Lima.")
    assert {"THE MAN SAW MARIA IN LIMA.", "The Man Saw Maria In Lima.", "the man saw maria in lima."} <= found
    assert {str(text).lower() for text in found - {None}} == {"the man saw maria in lima."}
    assert "the man slept." not in all_of("case", "The man slept.")  # one letter may be a matter of taste


def test_accents_come_or_go() -> None:
    plain = "He lives near the small river"
    for text in all_of("accents", plain):
        assert text is not None
        bare = "".join(letter for letter in unicodedata.normalize("NFD", text) if not unicodedata.combining(letter))
        assert bare == plain
        assert sum(a != b for a, b in zip(text.split(), plain.split(), strict=True)) >= 2
    assert "The cafe in Malmo" in all_of("accents", "The café in Malmö")


def test_some_words_are_misspelt() -> None:
    text = "Seven people walked along the river yesterday."
    for wrong in all_of("spelling", text):
        changed = [(a, b) for a, b in zip(str(wrong).split(), text.split(), strict=True) if a != b]
        assert 2 <= len(changed) <= 3
        assert all(a[0] == b[0] for a, b in changed)
        assert str(wrong).endswith(".")
