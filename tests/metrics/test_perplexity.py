"""Perplexity against the loss of transformers."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
import transformers

import farthing
from farthing import Pairs
from farthing.core.errors import SpecError
from farthing.metrics.perplexity import Perplexity

TEXTS = ["the cat sat on the mat", "rain fell", "nobody expected the old bridge to survive another winter"]


def losses(folder: Path, texts: list[str], start: list[int]) -> list[tuple[float, int]]:
    """The loss of each text by itself, and how many tokens it is the mean of."""
    packed = {"gguf_file": path.name for path in folder.glob("*.gguf")}
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, **packed).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **packed)
    found = []
    for text in texts:
        row = torch.tensor([[*start, *tokenizer(text, add_special_tokens=False)["input_ids"]]])
        with torch.no_grad():
            found.append((float(model(row, labels=row).loss), row.shape[1] - 1))
    return found


def check(folder: Path, texts: list[str], start: list[int]) -> None:
    scores = Perplexity(model=str(folder), threads=1).score(Pairs.of(texts))
    expected = losses(folder, texts, start)
    assert scores.segments == pytest.approx([math.exp(loss) for loss, _ in expected], rel=1e-4)
    total, tokens = sum(loss * count for loss, count in expected), sum(count for _, count in expected)
    assert scores.corpus == pytest.approx(math.exp(total / tokens), rel=1e-4)
    assert scores.parts["tokens"].tolist() == [count for _, count in expected]  # type: ignore[union-attr]


def test_equals_the_loss_of_transformers(tiny_gpt: Path) -> None:
    check(tiny_gpt, TEXTS, [])


def test_equals_the_loss_of_transformers_on_a_real_model(shared: Path, dev_model: Callable[[str], Path]) -> None:
    pytest.importorskip("gguf", reason="gguf is not installed")
    folder = dev_model("smollm2-135m")
    [packed] = folder.glob("*.gguf")
    begin = transformers.AutoTokenizer.from_pretrained(folder, gguf_file=packed.name).bos_token_id
    check(folder, TEXTS, [begin])


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
