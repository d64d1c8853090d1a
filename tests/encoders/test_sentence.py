"""Sentence vectors: pooling written out, and the pipeline of sentence-transformers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from farthing.encoders.engine import Engine
from farthing.encoders.load import load_encoder
from farthing.encoders.protocol import EncodedText
from farthing.encoders.sentence import pool, sentence_vectors

TEXTS = ["The cat sat on the mat.", "Shares fell by 3.5%", "rain", "the cat"]


@pytest.mark.parametrize("pooling", ["mean", "max", "cls"])
def test_pooling_over_a_contextual_encoder(tiny_model: Callable[..., Path], pooling: str) -> None:
    engine = Engine(load_encoder(tiny_model("bert")))
    found = sentence_vectors(engine, ["the cat", "rain", "the cat"], layer=2, pooling=pooling, normalise=False)  # type: ignore[arg-type]
    encoded = dict(engine.encode(["the cat", "rain"], [2]))
    pool = {"mean": lambda s: s.mean(0), "max": lambda s: s.max(0), "cls": lambda s: s[0]}[pooling]
    assert found == pytest.approx(np.stack([pool(encoded[t].states[2]) for t in ("the cat", "rain", "the cat")]))


def test_sentences_of_sentence_transformers(dev_model: Callable[[str], Path]) -> None:
    """Mean pooling over all tokens, length 1: what all-MiniLM's own pipeline does."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    folder = dev_model("minilm-l6")
    inputs = AutoTokenizer.from_pretrained(folder)(TEXTS, padding=True, return_tensors="pt")
    with torch.no_grad():
        states = AutoModel.from_pretrained(folder).eval()(**inputs).last_hidden_state
    mask = inputs["attention_mask"][..., None]
    expected = torch.nn.functional.normalize((states * mask).sum(1) / mask.sum(1), dim=-1).numpy()
    assert np.abs(sentence_vectors(Engine(load_encoder(folder)), TEXTS) - expected).max() < 1e-5


def test_a_text_without_tokens_is_zeros() -> None:
    empty = EncodedText(np.array([], dtype=np.int64), slice(0, 0), {0: np.zeros((0, 3), dtype=np.float32)})
    assert pool(empty, 0).tolist() == [0, 0, 0]


def test_lengths_are_one_unless_asked_otherwise(tiny_model: Callable[..., Path]) -> None:
    engine = Engine(load_encoder(tiny_model("bert")))
    vectors = sentence_vectors(engine, ["the cat", "rain"])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1], abs=1e-6)
    plain = sentence_vectors(engine, ["the cat", "rain"], layer=3, normalise=False)
    assert plain / np.linalg.norm(plain, axis=1, keepdims=True) == pytest.approx(vectors, abs=1e-6)
