"""Trigrams by hand, and sums between bounds against a loop."""

from itertools import pairwise

import numpy as np

from farthing.text.trigrams import BUCKETS, UNIT, sums_between, trigram_table, trigrams, word_trigrams


def test_trigrams_are_those_of_whole_words() -> None:
    """Counted by hand: a word of n letters has n of them, the first with a space before it."""
    found = trigrams(["ab c", "Names x1 http://a.b", "über-all"])
    assert np.diff(found.bounds).tolist() == [3, 0, 7]
    assert found.opens.tolist() == [True, False, True, True, False, False, False, True, False, False]
    assert found.buckets.tolist() == trigrams(["ab", "c", "über", "all"]).buckets.tolist()
    assert (found.buckets < BUCKETS).all()


def test_words_of_texts_have_the_trigrams_of_the_text() -> None:
    text = "We have 3 cats, don't we? O'Brien über-all x1"
    assert word_trigrams(text.split()).buckets.tolist() == trigrams([text]).buckets.tolist()


def test_a_text_in_capitals_is_read_without_them() -> None:
    assert trigrams(["WE SHOUT"]).buckets.tolist() == trigrams(["we shout"]).buckets.tolist()
    assert not len(word_trigrams(["WE", "SHOUT"]).buckets)


def test_the_steps_of_the_table_are_whole_numbers() -> None:
    """So their sums are exact in any order, as long as they are below 2 ** 24."""
    steps = trigram_table().steps
    assert (steps == np.round(steps)).all()
    assert np.abs(steps).max() <= 128
    assert UNIT > 1


def test_sums_between_bounds() -> None:
    rows = np.arange(12.0).reshape(6, 2)
    bounds = np.array([0, 2, 2, 5, 6, 6])
    expected = [rows[begin:end].sum(axis=0).tolist() for begin, end in pairwise(bounds)]
    assert sums_between(rows, bounds).tolist() == expected
