"""Baselines: the mean of random pairs, each scored alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import UsageError
from farthing.core.types import Pairs
from farthing.metrics.bertscore.baseline_maker import WORDS, make_baseline
from farthing.metrics.bertscore.bertscore import LAYER_PARTS, BertScore

SENTENCES = ["the cat sat", "a dog was lying", "rain", "nobody expected rain", "she studied birds", "the bank"]


def test_the_mean_over_disjoint_pairs(tiny_model: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    metric = BertScore(model=str(tiny_model("bert")), layer="all")
    noise = ["", "  ", "rain", "word " * WORDS]  # empty, a repetition, too long
    found = make_baseline(metric, [*SENTENCES, *noise], pairs=10, seed=7)
    order = np.random.default_rng(7).permutation(6)
    texts = [sorted(SENTENCES)[place] for place in order]
    alone = [metric.score(Pairs.of([one], [two])) for one, two in zip(texts[::2], texts[1::2], strict=True)]
    for place, layer in enumerate(metric.layers):
        expected = [np.mean([np.asarray(scores.parts[name])[place] for scores in alone]) for name in LAYER_PARTS]
        assert found.row(layer) == pytest.approx(expected, abs=1e-6)
    monkeypatch.setattr("farthing.metrics.bertscore.baseline_maker._STRETCH", 2)
    stretched = make_baseline(metric, SENTENCES, pairs=10, seed=7)
    assert stretched.values.keys() == found.values.keys()
    assert np.allclose(list(stretched.values.values()), list(found.values.values()), atol=1e-6)


def test_too_few_sentences_are_a_sentence(tiny_model: Callable[..., Path]) -> None:
    metric = BertScore(model=str(tiny_model("bert")), layer="all")
    with pytest.raises(UsageError, match="at least 4 different sentences below 32 words, found 2"):
        make_baseline(metric, ["a", "b", "b"])
