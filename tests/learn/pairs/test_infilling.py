"""BART's noise: the published statistics over many segments, and what single segments must obey."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from scipy.stats import poisson

from farthing.learn.pairs.denoising import segments
from farthing.learn.pairs.infilling import Span, infilled, permuted, text_spans


def test_statistics_over_10000_segments_are_the_papers() -> None:
    random = np.random.default_rng(1)
    texts = [["word"] * 17 for _ in range(200)]
    drawn = segments(texts, 1, 200, random)
    sizes, hidden, at_random, lengths = [], 0, 0, []
    for _ in range(10_000):
        _, words = next(drawn)
        spans = text_spans(len(words), random)
        sizes.append(len(words))
        hidden += sum(span.length for span in spans)
        at_random += sum(span.length for span in spans if span.random)
        lengths += [span.length for span in spans]
    assert hidden / sum(sizes) == pytest.approx(0.5, rel=0.01)
    assert at_random / hidden == pytest.approx(0.2, rel=0.01)
    assert np.mean(lengths) == pytest.approx(3, rel=0.01)
    # every length is as frequent as under Poisson(3), within one percent of all spans
    found = np.bincount(lengths, minlength=12)[:12] / len(lengths)
    assert np.abs(found - poisson(3).pmf(np.arange(12))).max() < 0.01
    # lengths of segments are uniform in 1..200: mean and quartiles
    assert np.mean(sizes) == pytest.approx(100.5, rel=0.01)
    assert np.percentile(sizes, [25, 75]) == pytest.approx([50.5, 150.5], abs=2.5)
    assert (min(sizes), max(sizes)) == (1, 200)


@given(words=some.integers(1, 60), seed=some.integers(0, 10**6), share=some.floats(0.05, 0.95))
def test_spans_lie_inside_in_order_and_apart(words: int, seed: int, share: float) -> None:
    spans = text_spans(words, np.random.default_rng(seed), share)
    hidden = sum(span.length for span in spans)
    assert hidden in (int(share * words), int(share * words) + 1)
    ends = [span.start + span.length for span in spans]
    assert all(span.start >= 0 and end <= words for span, end in zip(spans, ends, strict=True))
    # a kept word lies between two spans, so that two masks never touch
    assert all(end < later.start for end, later in zip(ends, spans[1:], strict=False))


def test_replacing() -> None:
    words = ["a", "b", "c", "d", "e", "f"]
    spans = [Span(0, 0, False), Span(1, 2, False), Span(4, 2, True)]
    random = np.random.default_rng(0)
    assert infilled(words, spans, "M", ["z"], random) == ["M", "a", "M", "d", "z", "z"]
    assert infilled(words, spans, "M", ["z"], random, masks_by_word=True) == ["M", "a", "M", "M", "d", "z", "z"]


@given(some.lists(some.sampled_from(["a", "b.", "c!", "d"]), max_size=20), some.integers(0, 1000))
def test_permutation_moves_whole_sentences(words: list[str], seed: int) -> None:
    moved = permuted(words, np.random.default_rng(seed))
    assert sorted(moved) == sorted(words)
    if not any(word.endswith((".", "!")) for word in words[:-1]):
        assert moved == words
