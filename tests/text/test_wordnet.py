"""Synonyms from a WordNet of a few words, read by NLTK."""

from __future__ import annotations

import sys

import pytest

from farthing.text.wordnet import find_synonyms


def test_synonyms_are_single_words_of_all_senses(made_up_wordnet: None) -> None:
    synonyms = find_synonyms()
    assert synonyms is not None
    assert synonyms.version == "wordnet-3.0"
    assert synonyms.of("picture") == {"picture", "film", "movie", "image", "show"}
    assert synonyms.of("car") == {"car", "automobile"}
    assert synonyms.of("unknown") == {"unknown"}


def test_without_nltk_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    find_synonyms.cache_clear()
    monkeypatch.setitem(sys.modules, "nltk.corpus", None)
    assert find_synonyms() is None
    find_synonyms.cache_clear()
