"""Where words are: every script, every Unicode form, and the way back to the text as it was given."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from farthing.text.places import ComposedText, word_spans

TEXTS = {
    "It's a co-op.": ["It", "'", "s", "a", "co", "-", "op", "."],
    "  Überall  1.5 €": ["Überall", "1", ".", "5", "€"],
    "我爱你。 Ja!": ["我", "爱", "你", "。", "Ja", "!"],
    "नमस्ते दुनिया।": ["नमस्ते", "दुनिया", "।"],
    "สวัสดี": ["ส", "วั", "ส", "ดี"],
    "안녕하세요 여러분": ["안녕하세요", "여러분"],
    "co\u00adoperate": ["co\u00adoperate"],
    "ok👍🏽👩‍👩‍👧🇩🇪🇫🇷❤️": ["ok", "👍🏽", "👩‍👩‍👧", "🇩🇪", "🇫🇷", "❤️"],
    "a\u200bb\x00c\n": ["a", "b", "c"],
    "": [],
}


def words(text: str) -> list[str]:
    return [text[first:last] for first, last in word_spans(text)]


@pytest.mark.parametrize(("text", "expected"), TEXTS.items())
def test_words_of_every_script(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@given(st.text())
def test_words_are_in_order_and_every_letter_is_in_one(text: str) -> None:
    spans = word_spans(text)
    assert all(first < last for first, last in spans)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    inside = {place for first, last in spans for place in range(first, last)}
    assert all(place in inside for place, character in enumerate(text) if unicodedata.category(character)[0] in "LNPS")
    assert not any(text[place].isspace() for place in inside)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_composing_is_unicodes_and_words_are_found_again(text: str) -> None:
    composed = ComposedText.of(text)
    assert composed.text == unicodedata.normalize("NFC", text)
    assert len(composed.origins) == len(composed.text) + 1
    assert list(composed.origins) == sorted(composed.origins)
    for first, last in word_spans(composed.text):
        origin = text[composed.origins[first] : composed.origins[last]]
        assert unicodedata.normalize("NFC", origin) == composed.text[first:last]


def test_letters_and_accents_in_closed_form() -> None:
    text = unicodedata.normalize("NFD", "né 각")
    assert ComposedText.of(text).origins == [0, 1, 3, 4, 7]
    assert ComposedText.of("né").origins == range(3)


def by_hand(text: str, tokens: list[tuple[int, int]], probabilities: list[float]) -> dict[str, float]:
    """The greatest probability of the tokens that share a character with a word."""
    found = {}
    for first, last in word_spans(text):
        own = [
            p
            for (start, end), p in zip(tokens, probabilities, strict=True)
            if {*range(start, end)} & {*range(first, last)}
        ]
        if own:
            found[text[first:last]] = max(own)
    return found


def test_a_word_is_as_likely_wrong_as_its_worst_token() -> None:
    text = unicodedata.normalize("NFD", "Café, 世界 unread")
    composed = ComposedText.of(text)
    tokens = [(0, 2), (2, 4), (4, 5), (6, 8), (8, 8)]  # Ca fé , 世界, and one without characters
    probabilities = [0.5, 0.25, 0.125, 0.75, 1.0]
    marks = composed.marks(tokens, np.array(probabilities))
    assert [text[mark["start"] : mark["end"]] for mark in marks] == [
        unicodedata.normalize("NFD", "Café"),
        ",",
        "世",
        "界",
    ]
    assert [mark["probability"] for mark in marks] == [0.5, 0.125, 0.75, 0.75]
    assert [mark["probability"] for mark in marks] == list(by_hand(composed.text, tokens, probabilities).values())
    assert ComposedText.of("").marks([], np.zeros(0)) == []
