"""Where texts are cut into sentences."""

from __future__ import annotations

from farthing.text.sentences import sentences


def test_ends_of_lines_and_of_sentences() -> None:
    assert sentences("It rained. Nobody came! Did you?\nNo.") == ["It rained.", "Nobody came!", "Did you?", "No."]


def test_a_point_before_a_small_letter_does_not_end_a_sentence() -> None:
    assert sentences("He paid e.g. two euros.") == ["He paid e.g. two euros."]


def test_nothing_has_no_sentences() -> None:
    assert sentences("  \n ") == []


def test_sentences_end_before_capitals_digits_and_at_line_ends() -> None:
    text = 'He came at 3.5 p.m. on foot. "Why?" asked nobody. 3 left!\nThe end'
    assert sentences(text) == ["He came at 3.5 p.m. on foot.", '"Why?" asked nobody.', "3 left!", "The end"]
    assert sentences(" \n") == []
