"""Make a baseline for any model and language: the scores of unrelated sentences."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from farthing.core.arrays import Floats
from farthing.core.errors import UsageError
from farthing.core.types import Pairs
from farthing.metrics.bertscore.baselines import Baseline
from farthing.metrics.bertscore.bertscore import LAYER_PARTS, BertScore

WORDS = 32  # the published baselines leave out longer sentences
_STRETCH = 2048


def make_baseline(metric: BertScore, sentences: Iterable[str], pairs: int = 10_000, seed: int = 12345) -> Baseline:
    """Compute the mean precision, recall and F1 of random pairs of sentences, at every layer.

    :param metric: a BERTScore with `layer="all"` and no baseline
    :param sentences: monolingual text, one sentence each; sentences of 32 words and more are left out
    :param pairs: how many pairs at most; no sentence is used twice
    """
    kept = sorted({text for sentence in sentences if 0 < len((text := sentence.strip()).split()) < WORDS})
    count = min(pairs, len(kept) // 2)
    if count < 2:
        raise UsageError(f"a baseline needs at least 4 different sentences below {WORDS} words, found {len(kept)}")
    order = np.random.default_rng(seed).permutation(len(kept))[: 2 * count]
    total = np.zeros((len(metric.layers), 3))
    for start in range(0, count, _STRETCH):
        chosen = order[2 * start : 2 * min(start + _STRETCH, count)]
        total += _sums(metric, [kept[place] for place in chosen])
    values = {
        layer: (float(p), float(r), float(f)) for layer, (p, r, f) in zip(metric.layers, total / count, strict=True)
    }
    return Baseline(values)


def _sums(metric: BertScore, texts: list[str]) -> Floats:
    """Sum precision, recall and F1 over pairs of neighbouring texts: layers by 3."""
    scores = metric.score(Pairs.of(texts[::2], texts[1::2]))
    return np.stack([np.sum(np.asarray(scores.parts[name]), axis=1) for name in LAYER_PARTS], axis=1)
