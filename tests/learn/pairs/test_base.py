"""Groups of texts and the pairs of each group."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as some

from farthing.learn.pairs.base import GeneratedText, all_pairs, given_pair, training_pair, two_of


@given(some.lists(some.sampled_from(["a", "b", "c", " ", ""]), max_size=8), some.integers(0, 100))
def test_all_pairs_of_the_distinct_texts(texts: list[str], seed: int) -> None:
    made = [GeneratedText(text, str(place)) for place, text in enumerate(texts)]
    pairs = all_pairs("x", "d", made, np.random.default_rng(seed))
    distinct = sorted({text for text in texts if text.strip()})
    assert sorted(tuple(sorted((pair.candidate, pair.reference))) for pair in pairs) == list(combinations(distinct, 2))
    first = {text: str(texts.index(text)) for text in distinct}  # of equal texts the first one counts
    assert all(pair.generator == first[pair.candidate] for pair in pairs)
    assert all(pair.reference_generator == first[pair.reference] for pair in pairs)


def test_both_directions_occur() -> None:
    random = np.random.default_rng(0)
    texts = [GeneratedText("a", "one"), GeneratedText("b", "two")]
    firsts = [all_pairs("x", "d", texts, random)[0].candidate for _ in range(200)]
    assert 60 < firsts.count("a") < 140


def test_pairs_know_where_they_come_from() -> None:
    pair = training_pair("news", "7", GeneratedText("a", "model"), GeneratedText("b", "human"))
    assert (pair.source, pair.document, pair.generator, pair.reference_generator) == ("news", "7", "model", "human")
    assert given_pair("news", "7", "a", "b").generator == "given"


@given(some.integers(2, 9), some.integers(0, 1000))
def test_two_places_differ(count: int, seed: int) -> None:
    first, second = two_of(count, np.random.default_rng(seed))
    assert first != second
    assert {first, second} <= set(range(count))
