"""Perplexity against the loss of transformers; benchmarks/perplexity_loss.py does the same with a real model."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import torch
import transformers

import farthing
from farthing import Pairs
from farthing.core.errors import SpecError
from farthing.metrics.perplexity import Perplexity

TEXTS = ["the cat sat on the mat", "rain fell", "nobody expected the old bridge to survive another winter"]


def losses(folder: Path, texts: list[str]) -> list[tuple[float, int]]:
    """The loss of each text by itself, and how many tokens it is the mean of."""
    model = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    found = []
    for text in texts:
        row = torch.tensor([tokenizer(text, add_special_tokens=False)["input_ids"]])
        with torch.no_grad():
            found.append((float(model(row, labels=row).loss), row.shape[1] - 1))
    return found


def test_equals_the_loss_of_transformers(tiny_gpt: Path) -> None:
    scores = Perplexity(model=str(tiny_gpt), threads=1).score(Pairs.of(TEXTS))
    expected = losses(tiny_gpt, TEXTS)
    assert scores.segments == pytest.approx([math.exp(loss) for loss, _ in expected], rel=1e-4)
    total, tokens = sum(loss * count for loss, count in expected), sum(count for _, count in expected)
    assert scores.corpus == pytest.approx(math.exp(total / tokens), rel=1e-4)
    assert scores.parts["tokens"].tolist() == [count for _, count in expected]  # type: ignore[union-attr]


def test_stretches_join_to_the_same_corpus_score(tiny_gpt: Path) -> None:
    metric = Perplexity(model=str(tiny_gpt), threads=1)
    whole, parts = metric.score(Pairs.of(TEXTS)), [metric.score(Pairs.of([text])) for text in TEXTS]
    sums = [one.statistics.sum(axis=0) for one in parts if one.statistics is not None]
    assert metric.aggregate(sum(sums)) == pytest.approx(whole.corpus, rel=1e-5)  # type: ignore[arg-type]


def test_empty_texts_and_long_texts_are_noted(tiny_gpt: Path) -> None:
    scores = farthing.load(f"perplexity(model='{tiny_gpt}', limit=10)").score(Pairs.of(["", "rain " * 60]))  # type: ignore[union-attr]
    size = transformers.AutoConfig.from_pretrained(tiny_gpt).vocab_size
    assert scores.segments[0] == pytest.approx(size)
    assert scores.corpus == pytest.approx(scores.segments[1])  # the empty text has no token
    assert [(note.kind, note.rows) for note in scores.notes] == [("empty", (0,)), ("truncated", (1,))]
    alone = farthing.load(f"perplexity(model='{tiny_gpt}')").score(Pairs.of([""]))  # type: ignore[union-attr]
    assert alone.corpus == pytest.approx(size)


def test_wrong_options_are_one_sentence(tiny_gpt: Path) -> None:
    with pytest.raises(SpecError, match="limit=0 must be above 0"):
        Perplexity(model=str(tiny_gpt), limit=0)
