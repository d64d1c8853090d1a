"""Deviation: none of a model from itself, some from another, and against scores of single pairs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from farthing.core.types import Pairs
from farthing.metrics.bertscore.bertscore import BertScore
from farthing.metrics.bertscore.deviation import deviation

SENTENCES = ("the cat sat", "a dog was lying", "nobody expected rain")


def test_the_greatest_difference_over_all_pairs(tiny_model: Callable[..., Path]) -> None:
    one, two = str(tiny_model("bert")), str(tiny_model("bert", seed=5))
    same, other = deviation(one, one, SENTENCES), deviation(one, two, SENTENCES)
    assert same.pairs == other.pairs == 6
    assert set(same.largest.values()) == {0.0}
    assert list(same.correlation.values()) == pytest.approx([1] * 4)
    pairs = Pairs.of(*zip(*[(a, b) for a in SENTENCES for b in SENTENCES if a != b], strict=True))  # type: ignore[arg-type]
    left, right = (BertScore(model=model, layer=2).score(pairs).segments for model in (one, two))
    assert left is not None
    assert right is not None
    assert other.largest[2] == pytest.approx(np.abs(left - right).max(), abs=1e-6)
    assert other.correlation[2] == pytest.approx(np.corrcoef(left, right)[0, 1], abs=1e-5)
