"""The lexicon: pairs work both ways, and no word is its own partner."""

from __future__ import annotations

import pytest

from farthing.text import lexicon


@pytest.mark.parametrize("partners", [lexicon.antonyms(), lexicon.synonyms()], ids=["antonyms", "synonyms"])
def test_pairs_work_both_ways(partners: dict[str, tuple[str, ...]]) -> None:
    for word, others in partners.items():
        assert word == word.lower()
        assert word not in others
        assert len(set(others)) == len(others)
        assert all(word in partners[other] for other in others)


def test_a_word_may_have_several_partners() -> None:
    assert set(lexicon.antonyms()["left"]) == {"arrived", "entered", "right"}
    assert set(lexicon.synonyms()["fast"]) == {"quick", "rapid"}


def test_no_pair_is_both_opposite_and_equal() -> None:
    opposites = {frozenset([word, other]) for word, others in lexicon.antonyms().items() for other in others}
    equals = {frozenset([word, other]) for word, others in lexicon.synonyms().items() for other in others}
    assert not opposites & equals


def test_number_words_names_and_verbs_are_distinct() -> None:
    for words in (lexicon.NUMBER_WORDS, lexicon.NAMES):
        assert len(set(words)) == len(words)
    assert "two" in lexicon.NUMBER_WORDS
    assert {"is", "can"} <= lexicon.AUXILIARIES
