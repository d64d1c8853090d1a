"""Self-BLEU against sacrebleu's sentence BLEU with all other texts as references."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

from farthing import Sets
from farthing.metrics.sets.self_bleu import SelfBleu, nearest_lengths

TEXTS = st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=9), min_size=2, max_size=7)


def brute_force(texts: list[str], **options: Any) -> float:
    bleu = BLEU(effective_order=True, **options)
    others = [texts[:row] + texts[row + 1 :] for row in range(len(texts))]
    return float(np.mean([bleu.sentence_score(text, rest).score for text, rest in zip(texts, others, strict=True)]))


@given(TEXTS, st.sampled_from(["exp", "none", "floor", "add-k"]), st.integers(1, 5))
def test_equals_sacrebleu(words: list[list[str]], smooth: Literal["exp", "none"], order: int) -> None:
    texts = [" ".join(text) for text in words]
    found = SelfBleu(smooth_method=smooth, max_ngram_order=order).score_sets(Sets(texts)).corpus
    assert found == pytest.approx(brute_force(texts, smooth_method=smooth, max_ngram_order=order), abs=1e-9)


def test_equals_sacrebleu_on_real_translations(human: Callable[[str], list[dict[str, Any]]]) -> None:
    texts = [row["candidate"] for row in human("wmt16_da_seg") if row["lp"].endswith("en")][:120]
    assert SelfBleu(lowercase=True).score_sets(Sets(texts)).corpus == pytest.approx(
        brute_force(texts, lowercase=True), abs=1e-9
    )


def test_equal_texts_are_100_and_unrelated_ones_low() -> None:
    assert SelfBleu().score_sets(Sets(["the cat sat on the mat"] * 3)).corpus == pytest.approx(100)
    assert SelfBleu(smooth_method="none").score_sets(Sets(["a b c d e", "f g h i j"])).corpus == 0.0


@given(st.lists(st.integers(1, 12), min_size=2, max_size=8))
def test_the_nearest_length_by_looking_at_all_others(lengths: list[int]) -> None:
    assert nearest_lengths(lengths) == [
        min((abs(other - length), other) for place, other in enumerate(lengths) if place != row)[1]
        for row, length in enumerate(lengths)
    ]
