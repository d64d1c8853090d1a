"""Distinct-n against its definition."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import farthing
from farthing import Sets
from farthing.core.errors import SpecError
from farthing.metrics.sets.distinct import DistinctN, word_ngrams

TEXTS = st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=8), min_size=1, max_size=6)


@given(TEXTS, st.integers(1, 4))
def test_equals_the_definition(texts: list[list[str]], n: int) -> None:
    runs = [tuple(text[start : start + n]) for text in texts for start in range(len(text) - n + 1)]
    expected = len(set(runs)) / len(runs) if runs else 1.0
    scores = DistinctN(n=n).score_sets(Sets([" ".join(text) for text in texts]))
    assert scores.corpus == pytest.approx(expected)
    assert scores.parts[f"distinct{n}"] == scores.corpus


def test_closed_forms() -> None:
    texts = ["a b c d", "a b c d"]
    assert farthing.score(texts, metric="distinct(n=1)").corpus == 0.5
    assert farthing.score(texts, metric="distinct").corpus == 0.5
    assert farthing.score(texts, metric="distinct(within=true)").corpus == 1.0
    assert farthing.score(["A a"], metric="distinct(n=1)").corpus == 0.5
    assert farthing.score(["A a"], metric="distinct(n=1, tokenizer=space, lowercase=false)").corpus == 1.0
    assert farthing.score(["ab", "ab"], metric="distinct(n=2)").corpus == 1.0  # no pair of words, so no repetition


def test_n_grams_do_not_cross_texts() -> None:
    assert word_ngrams(["a", "b"], 3) == []
    assert farthing.score(["a b", "c d", "b c"], metric="distinct(n=2)").corpus == 1.0


def test_wrong_options_are_one_sentence() -> None:
    with pytest.raises(SpecError, match="n=0 must be above 0"):
        farthing.load("distinct(n=0)")
