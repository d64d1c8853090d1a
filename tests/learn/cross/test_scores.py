"""Scores of a student that learns, and their agreement with targets."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from farthing.learn.cross.scores import agreement, correlation, has_types, torch_scores
from farthing.learn.data.dataset import tokenised


def test_scores_are_those_of_one_pair_at_a_time(encoder: Path, corpus: list[str]) -> None:
    torch.manual_seed(1)
    model = AutoModelForSequenceClassification.from_pretrained(encoder, num_labels=1).eval()
    assert has_types(model)
    tokenizer = AutoTokenizer.from_pretrained(encoder)
    with torch.inference_mode():
        pairs = zip(corpus[:40], corpus[40:80], strict=True)
        alone = [float(model(**tokenizer(*pair, return_tensors="pt")).logits) for pair in pairs]
    scores = torch_scores(model, tokenised(encoder, corpus[:40], corpus[40:80], 64), 0)
    assert scores == pytest.approx(alone, abs=1e-5)


def test_agreement_is_numpys_correlation() -> None:
    random = np.random.default_rng(0)
    scores, targets = random.random(30), random.random(30)
    found = agreement(scores, targets)
    assert found["pearson"] == pytest.approx(np.corrcoef(scores, targets)[0, 1])
    ranks = [np.argsort(np.argsort(values)) for values in (scores, targets)]
    assert found["spearman"] == pytest.approx(np.corrcoef(*ranks)[0, 1])
    assert found["loss"] == pytest.approx(((scores - targets) ** 2).mean())


def test_constants_agree_with_nothing_but_themselves() -> None:
    assert agreement(np.ones(5), np.arange(5.0)) == {"loss": 3.0, "pearson": 0.0, "spearman": 0.0}
    assert correlation(np.ones(3), np.ones(3)) == 1.0
    assert correlation(np.ones(3), np.zeros(3)) == 0.0
