"""Summaries of a document's own sentences."""

from __future__ import annotations

import pytest

from farthing.learn.pairs.extractive import EXTRACTORS, extracted, frequency, graph, lead


@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_extracted_sentences_are_the_documents(extractor: str) -> None:
    document = "Alpha beta gamma delta. Beta gamma delta epsilon. Zeta stands alone. Gamma delta epsilon alpha."
    summary = extracted(document, extractor, 2)
    assert all(sentence in document for sentence in summary.split(". "))
    assert "Zeta" not in summary  # it shares no word with any other sentence
    assert extracted("One.", extractor, 2) == "One."


def test_each_extractor_has_its_own_choice() -> None:
    parts = ["Something happened somewhere.", "Apples grow slowly.", "Apples grow here.", "Water water water."]
    assert lead(parts, 2) == [0, 1]
    assert set(graph(parts, 2)) == {1, 2}  # the only sentences that share words
    assert frequency(parts, 1) == [3]
    assert lead(parts[:1], 3) == [0]
