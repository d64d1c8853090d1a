"""BERTScore of whole lists: stretches, baselines, long texts, and F1."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from farthing.align.greedy import f1
from farthing.core.nbest import NBest, crossed_pairs
from farthing.core.registry import load_pairs_metric
from farthing.metrics.bertscore import crossed

TEXTS = ["the cat sat on the mat", "a dog was lying on the carpet", "the mat", ""]


def test_f1_is_that_of_single_pairs() -> None:
    precision, recall = np.random.default_rng(1).uniform(-1, 1, (2, 5, 4))
    expected = [[f1(*pair) for pair in zip(*rows, strict=True)] for rows in zip(precision, recall, strict=True)]
    assert crossed.f1_matrix(precision, recall) == pytest.approx(np.array(expected))


def test_values_set_by_rule_are_not_rescaled(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    baseline = tmp_path / "baseline.tsv"
    baseline.write_text("LAYER,P,R,F\n0,0.1,0.1,0.1\n1,0.2,0.3,0.25\n2,0.3,0.3,0.3\n3,0.3,0.3,0.3\n")
    metric = load_pairs_metric(f"bertscore(model={tiny_model('bert')}, layer=1, baseline={baseline})")
    lists = [NBest(TEXTS, TEXTS)]
    found, expected = metric.score_crossed(lists), metric.score(crossed_pairs(lists))
    assert found.segments == pytest.approx(np.asarray(expected.segments), abs=1e-6)
    assert found.segments is not None
    assert found.segments[-1] == 1.0


def test_long_texts_are_noted(tiny_model: Callable[..., Path]) -> None:
    metric = load_pairs_metric(f"bertscore(model={tiny_model('bert')}, layer=1)")
    lists = [NBest(["the cat", "the cat " * 60], ["the mat", "a dog"])]
    assert metric.score_crossed(lists).notes == metric.score(crossed_pairs(lists)).notes
