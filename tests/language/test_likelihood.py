"""Likelihoods of seq2seq models against the loss of transformers, one pair at a time."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
import torch
import transformers

from farthing.core.errors import ModelError
from farthing.language.likelihood import Likelihood

SOURCES = ["the cat sat", "rain", "the cat sat", "nobody expected the old bridge"]
TARGETS = ["a dog", "the rain", "a dog", "winter"]


def test_each_pair_has_the_loss_of_transformers(tiny_bart: Path) -> None:
    likelihood = Likelihood(str(tiny_bart), threads=1)
    found, cut = likelihood.scores(SOURCES, TARGETS)
    model = transformers.BartForConditionalGeneration.from_pretrained(tiny_bart).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny_bart)
    for source, target, value in zip(SOURCES, TARGETS, found, strict=True):
        inputs, labels = (torch.tensor([tokenizer(text)["input_ids"]]) for text in (source, target))
        assert value == pytest.approx(-float(model(input_ids=inputs, labels=labels).loss.detach()), abs=1e-5)
    assert cut == []


def test_long_texts_are_cut_to_the_limit_and_named(tiny_bart: Path) -> None:
    likelihood = Likelihood(str(tiny_bart), threads=1)
    long = "rain " * 200
    found, cut = likelihood.scores(["rain", long, "rain"], [long, "rain", "rain"])
    assert cut == [0, 1]
    rows, _ = likelihood._ids([long], text_target=True)
    assert len(rows[0]) == likelihood.limit == 48
    assert (found < 0).all()


def test_nothing_gives_nothing(tiny_bart: Path) -> None:
    found, cut = Likelihood(str(tiny_bart), threads=1).scores([], [])
    assert (found.tolist(), cut) == ([], [])


def test_the_fields_name_the_weights(tiny_bart: Path) -> None:
    digits = hashlib.sha256((tiny_bart / "model.safetensors").read_bytes()).hexdigest()[:12]
    fields = Likelihood(str(tiny_bart), threads=1).fields()
    assert fields == {"model": tiny_bart.name, "weights": digits, "limit": 48, "dtype": "fp32"}


def test_another_kind_of_model_is_one_sentence(tiny_gpt: Path) -> None:
    with pytest.raises(ModelError, match="cannot be loaded as a seq2seq model") as caught:
        Likelihood(str(tiny_gpt))
    assert "\n" not in str(caught.value)
