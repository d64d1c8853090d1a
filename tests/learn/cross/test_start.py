"""Where students start: shapes, folders, their first layers; and what is no start."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from farthing.core.errors import ModelError, UsageError
from farthing.learn.cross.start import SHAPES, Start, check_vocabulary, layers_and_width, make_student, start_of
from farthing.learn.train.layers import count_parameters


@pytest.mark.parametrize(
    ("shape", "published"), [("2x128", 4.4e6), ("4x256", 11.3e6), ("4x512", 29.1e6), ("8x512", 41.7e6)]
)
def test_shapes_are_the_published_ones(shape: str, published: float) -> None:
    """Turc et al. 2019 count 4.4, 11.3, 29.1 and 41.7 million parameters with 30,522 word pieces."""
    model, tokenizer = make_student(Start(shape), ["a cat and a dog"] * 3, 1)
    layers, width = layers_and_width(shape)
    missing = (30_522 - len(tokenizer)) * width
    assert count_parameters(model) + missing == pytest.approx(published, rel=0.02)
    assert model.config.num_hidden_layers == layers


def test_the_first_layers_of_an_encoder(make_bert: Callable[..., Path]) -> None:
    folder = make_bert(num_hidden_layers=4)
    whole, _ = make_student(Start(str(folder)), [], 1)
    cut, _ = make_student(Start(str(folder), depth=2), [], 1)
    assert len(cut.bert.encoder.layer) == cut.config.num_hidden_layers == 2
    name = "bert.encoder.layer.1.output.dense.weight"
    assert torch.equal(whole.state_dict()[name], cut.state_dict()[name])
    with pytest.raises(UsageError, match="has 4 layers"):
        make_student(Start(str(folder), depth=9), [], 1)


def test_any_shape_will_do() -> None:
    model, _ = make_student(Start("1x64", depth=None), ["a cat"], 1)
    assert (model.config.num_hidden_layers, model.config.hidden_size, model.config.num_attention_heads) == (1, 64, 1)
    assert all(Start(shape).is_fresh for shape in SHAPES)


def test_a_folder_wins_over_a_shape(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "2x128").mkdir()
    monkeypatch.chdir(tmp_path)
    assert not Start("2x128").is_fresh


@pytest.mark.parametrize("shape", ["2x100", "2x0", "0x128", "2x", "tiny"])
def test_shapes_that_are_none(shape: str) -> None:
    with pytest.raises(UsageError, match="multiple of 64"):
        layers_and_width(shape)


def test_a_wrong_start_is_found_before_any_work() -> None:
    assert start_of("2x128").is_fresh
    with pytest.raises(UsageError, match="multiple of 64"):
        start_of("2x100")
    with pytest.raises(ModelError, match="there is no folder"):
        start_of("./missing")


def test_a_shape_can_take_the_tokenizer_of_a_folder(encoder: Path, vocabulary: Any) -> None:
    model, tokenizer = make_student(Start("1x64", tokenizer=str(encoder)), [], 1)
    assert model.config.vocab_size == len(tokenizer) == len(vocabulary)
    with pytest.raises(UsageError, match="for a shape such as 2x128 only"):
        make_student(Start(str(encoder), tokenizer=str(encoder)), [], 1)


def test_the_same_seed_gives_the_same_new_head(encoder: Path) -> None:
    first, second, other = (make_student(Start(str(encoder)), [], seed)[0].classifier.weight for seed in (1, 1, 2))
    assert torch.equal(first, second)
    assert not torch.equal(first, other)


def test_a_folder_that_is_no_encoder(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "model.safetensors").write_bytes(b"nothing")
    with pytest.raises(ModelError, match="cannot be loaded"):
        make_student(Start(str(tmp_path)), [], 1)


def test_a_vocabulary_must_fit_its_vectors(tmp_path: Path) -> None:
    check_vocabulary(tmp_path, 20, 20)
    with pytest.raises(ModelError, match="tokenizer of 21 tokens but vectors for 20 only"):
        check_vocabulary(tmp_path, 21, 20)
