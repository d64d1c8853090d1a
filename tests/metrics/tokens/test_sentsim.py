"""SentSim against its formulas, in both ways of combining, whole and in stretches."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from farthing.core.types import Pairs
from farthing.metrics.bertscore.bertscore import BertScore
from farthing.metrics.tokens.sentsim import SentSim
from farthing.metrics.tokens.xmoverscore import XMoverScore
from farthing.scoring.engine import score_stretches

SOURCES = ["the cat looked at the mat", "the dog was watching it pour", "the bank's shares fell", "winter"]
CANDIDATES = ["the cat sat on the mat", "a dog, watching the rain", "shares", "she survived the winter"]
PAIRS = Pairs.of(CANDIDATES, None, SOURCES)


def sentence_cosines(metric: SentSim) -> np.ndarray:
    encoded = dict(metric.engine.encode([*SOURCES, *CANDIDATES], [metric.pooled_layer]))
    found = []
    for source, candidate in zip(SOURCES, CANDIDATES, strict=True):
        x, y = (encoded[text].states[metric.pooled_layer].mean(axis=0) for text in (source, candidate))
        found.append(x @ y / np.linalg.norm(x) / np.linalg.norm(y))
    return np.array(found)


def minmax(values: Any) -> np.ndarray:
    return np.asarray((values - np.min(values)) / (np.max(values) - np.min(values)))


def test_with_bertscore(tiny_model: Callable[..., Path]) -> None:
    folder = str(tiny_model("bert", layers=4))
    words = BertScore(model=folder, layer=3, compat="bert_score").score(Pairs.of(CANDIDATES, SOURCES)).segments
    metric = SentSim(model=folder, combine="published")
    sentences = sentence_cosines(metric)
    scores = metric.score(PAIRS)
    assert np.allclose(scores.parts["words"], words, atol=1e-6)
    assert np.allclose(scores.parts["sentence"], sentences, atol=1e-6)
    assert np.allclose(scores.segments, np.exp(minmax(words)) + np.exp(minmax(sentences)), atol=1e-5)
    words = BertScore(model=folder, layer=3).score(Pairs.of(CANDIDATES, SOURCES)).segments  # no special tokens
    fixed = SentSim(model=folder).score(PAIRS).segments
    assert np.allclose(fixed, np.exp((1 + words) / 2) + np.exp((1 + sentences) / 2), atol=1e-6)


def test_with_wmd(tiny_model: Callable[..., Path]) -> None:
    folder = str(tiny_model("bert", layers=4))
    metric = SentSim(model=folder, words="wmd")
    expected = XMoverScore(model=folder, layer=3, ngram=1).score(PAIRS).parts["distance"]
    scores = metric.score(PAIRS)
    assert np.allclose(scores.parts["words"], expected, atol=1e-9)
    sentences = sentence_cosines(metric)
    assert np.allclose(scores.segments, np.exp(1 - np.asarray(expected) / 2) + np.exp((1 + sentences) / 2), atol=1e-6)
    published = SentSim(model=folder, words="wmd", combine="published").score(PAIRS)
    assert not np.allclose(published.parts["words"], expected)  # vectors are not scaled there
    word_part = np.exp(1 - minmax(published.parts["words"]))
    assert np.allclose(published.segments, word_part + np.exp(minmax(sentences)), atol=1e-5)


def test_a_second_encoder_for_sentences(tiny_model: Callable[..., Path]) -> None:
    one, two = str(tiny_model("bert", layers=4)), str(tiny_model("bert", seed=5))
    scores = SentSim(model=one, sentence_model=two).score(PAIRS)
    assert np.allclose(scores.parts["sentence"], sentence_cosines(SentSim(model=two)), atol=1e-6)


def test_published_ranges_run_over_all_stretches_and_fixed_ones_need_no_mates(tiny_model: Callable[..., Path]) -> None:
    def stretches() -> Any:
        for part in (slice(0, 1), slice(1, 4)):
            yield [Pairs.of(CANDIDATES[part], None, SOURCES[part])]

    for combine in ("published", "fixed"):
        metric = SentSim(model=str(tiny_model("bert")), combine=combine)  # type: ignore[arg-type]
        [[found]] = score_stretches([metric], stretches)
        whole = metric.score(PAIRS)
        assert np.allclose(found.segments, whole.segments, atol=1e-6)
        assert found.corpus == pytest.approx(whole.corpus, abs=1e-6)
    alone = SentSim(model=str(tiny_model("bert"))).score(Pairs.of(CANDIDATES[:1], None, SOURCES[:1]))
    assert alone.segments[0] == pytest.approx(whole.segments[0], abs=1e-6)


@pytest.mark.parametrize("words", ["bertscore", "wmd"])
@pytest.mark.parametrize("combine", ["fixed", "published"])
def test_never_nan(tiny_model: Callable[..., Path], words: Any, combine: Any) -> None:
    long = "the cat sat on the mat " * 400
    pairs = Pairs.of(["", "cat", "the cat", "", long, "the"], None, ["the cat", "dog", "the cat", "", "the cat", long])
    metric = SentSim(model=str(tiny_model("bert")), words=words, combine=combine)
    scores = metric.score(pairs).segments
    assert np.isfinite(scores).all()
    assert (scores >= 2 - 1e-9).all()
    assert (scores <= 2 * np.e + 1e-9).all()
    assert np.isfinite(metric.score(Pairs.of(["a"], None, ["b"])).segments).all()
    if combine == "fixed":
        assert scores[2] == pytest.approx(2 * np.e, abs=1e-5)
