"""What metrics of a set of texts share."""

from __future__ import annotations

import numpy as np
import pytest

import farthing
from farthing import Sets
from farthing.core.errors import InputError, UsageError
from farthing.metrics.sets.distinct import DistinctN
from farthing.metrics.sets.self_bleu import SelfBleu


def test_no_corpus_is_needed_and_none_is_looked_at() -> None:
    texts = ["a b a", "b c"]
    alone = farthing.score(texts, metric="distinct").corpus
    assert alone == farthing.score(texts, ["anything"], metric="distinct").corpus
    assert DistinctN().score_sets(Sets(texts, system="mine")).system == "mine"


def test_texts_without_words_are_left_out_and_named() -> None:
    scores = farthing.score(["a b", "", "!?"], metric="distinct(n=1)")
    assert scores.corpus == 1.0
    assert [note.rows for note in scores.notes] == [(1, 2)]


@pytest.mark.parametrize("data", [np.zeros((2, 2)), "text", [1, 2]])
def test_only_texts_have_words(data: object) -> None:
    with pytest.raises(UsageError, match="distinct counts words: give a list of texts"):
        DistinctN().score_sets(Sets(data))  # type: ignore[arg-type]


def test_too_few_texts_are_one_sentence() -> None:
    with pytest.raises(InputError, match="self_bleu needs at least 2 texts with words, but there are 1"):
        SelfBleu().score_sets(Sets(["one text", ""]))
    with pytest.raises(InputError, match="distinct needs at least 1 texts"):
        DistinctN().score_sets(Sets([]))
