"""Marks by distance: the cosines of the alignment, word by word."""

from __future__ import annotations

from collections.abc import Callable
from math import exp
from pathlib import Path

import numpy as np
import pytest

import farthing
from farthing.core.types import Pairs
from farthing.metrics.bertscore import marks as module


def test_a_word_is_marked_by_its_farthest_token(tiny_model: Callable[..., Path]) -> None:
    metric = farthing.load("bertscore", model=tiny_model("bert"), layer=2)
    assert metric.explains
    candidate, reference = " The cat sat", "the dog sat , far"
    found = metric.explain(candidate, reference)
    alignment = metric.align(candidate, reference)  # type: ignore[union-attr]
    for text, marks, gaps, tokens in (
        (candidate, found.errors, 1 - alignment.similarity.max(axis=1), alignment.candidate_tokens),
        (reference, found.omissions, 1 - alignment.similarity.max(axis=0), alignment.reference_tokens),
    ):
        assert [text[mark["start"] : mark["end"]] for mark in marks] == text.split()
        starts = [place for place, token in enumerate(tokens) if not token.startswith("##")]
        worst = [max(gaps[first:last]) for first, last in zip(starts, [*starts[1:], len(tokens)], strict=True)]
        expected = [1 / (1 + exp(-8 * (float(gap) - 0.42))) for gap in worst]
        assert [mark["probability"] for mark in marks] == pytest.approx(expected, abs=1e-4)
    assert not found.learned


def test_the_best_reference_counts_and_stretches_make_no_difference(
    tiny_model: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    metric = farthing.load("bertscore", model=tiny_model("bert"), layer=2)
    pairs = Pairs(["the cat sat", "a dog", ""], [["rain", "the cat sat"], ["a dog", "far"], ["the cat"]])
    found = metric.explain_pairs(pairs)
    for one, candidate, references in zip(found, pairs.candidates, pairs.references, strict=True):
        scores = [metric.score([candidate], [[text]]).corpus for text in references]
        assert one.counted == int(np.argmax(scores))
    assert (found[2].errors, {mark["probability"] for mark in found[2].omissions}) == ([], {1.0})
    monkeypatch.setattr(module, "ROWS", 1)
    for one, again in zip(found, metric.explain_pairs(pairs), strict=True):
        assert [mark["probability"] for mark in one.errors] == pytest.approx(
            [mark["probability"] for mark in again.errors], abs=1e-5
        )


def test_tokens_that_do_not_count_have_no_marks(tiny_model: Callable[..., Path]) -> None:
    metric = farthing.load("bertscore", model=tiny_model("bert"), layer=2, drop_punctuation=True)
    assert not metric.explains
    with pytest.raises(farthing.UsageError, match="bertscore cannot say which words are wrong"):
        metric.explain("a", "b")
