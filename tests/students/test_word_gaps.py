"""Features found word by word: pairs and lists agree, and every text is read once."""

from __future__ import annotations

import numpy as np

from farthing.students.word_gaps import WordFeatures


def test_texts_are_read_once_and_lists_agree_with_pairs() -> None:
    read: list[str] = []

    def words(text: str) -> set[str]:
        read.append(text)
        return set(text.split())

    features = WordFeatures(("more", "less"), words, lambda own, other: (len(own - other), len(other - own)))
    candidates, references = ["a b", "a", "a b"], ["a b", "c", ""]
    found = features.pairs(candidates, references)
    assert found.tolist() == [[0, 0], [1, 1], [2, 0]]
    assert sorted(read) == ["", "a", "a b", "c"]
    crossed = features.crossed(candidates, references)
    for place, candidate in enumerate(candidates):
        np.testing.assert_array_equal(
            crossed.gaps(slice(place, place + 1))[0], features.pairs([candidate] * 3, references)
        )
    assert features.pairs([], []).shape == (0, 2)
