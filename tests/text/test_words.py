"""Words by rule: ASCII as rouge-score, every script by Unicode's categories."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farthing.text.words import ascii_words, unicode_words, word_splitter


@given(st.text(st.characters(max_codepoint=127)))
def test_the_two_rules_agree_on_ascii(text: str) -> None:
    assert unicode_words(text) == ascii_words(text)


@given(st.text())
def test_no_letter_or_digit_of_any_script_is_lost(text: str) -> None:
    kept = "".join(unicode_words(text))
    plain = unicodedata.normalize("NFC", text).casefold()
    assert [c for c in plain if unicodedata.category(c)[0] in "LN"] == [
        c for c in kept if unicodedata.category(c)[0] in "LN"
    ]


@given(st.text())
def test_ascii_is_rouge_score_s_tokenizer(text: str) -> None:
    tokenize = pytest.importorskip("rouge_score.tokenize", reason="rouge-score is not installed")
    assert ascii_words(text) == tokenize.tokenize(text, None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Привет, МИР!", ["привет", "мир"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),  # vowel signs stay in their word
        ("你好，world。", ["你", "好", "world"]),
        ("ภาษาไทย", ["ภ", "า", "ษ", "า", "ไ", "ท", "ย"]),
        ("ที่", ["ที่"]),  # a letter with two marks
        ("안녕 세상", ["안녕", "세상"]),
        ("👩‍🚀❤️", ["👩", "🚀", "❤"]),
        ("e\u0301te\u0301", ["été"]),
        ("می\u200cخواهم", ["میخواهم"]),
        ("snake_case 3.14", ["snake", "case", "3", "14"]),
        ("", []),
    ],
)
def test_words_of_many_scripts(text: str, words: list[str]) -> None:
    assert unicode_words(text) == words


def test_the_other_rules() -> None:
    assert word_splitter("space")("Don't  stop!") == ["Don't", "stop!"]
    assert word_splitter("13a")("Don't stop, Bob!") == ["Don't", "stop", ",", "Bob", "!"]
    assert word_splitter("unicode") is unicode_words
