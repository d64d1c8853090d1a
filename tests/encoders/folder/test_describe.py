"""Facts without loading: counted from headers alone."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from farthing.core.errors import ModelError
from farthing.encoders.folder.describe import describe, parameter_count


def test_numbers_are_counted_from_the_header(tmp_path: Path) -> None:
    tables = {"a": np.zeros((3, 4), np.float32), "b": np.zeros((5,), np.int8), "c": np.zeros((), np.float32)}
    save_file(tables, tmp_path / "x.safetensors", metadata={"format": "np"})
    assert parameter_count(tmp_path / "x.safetensors") == 3 * 4 + 5 + 1


def test_layers_above_a_depth_do_not_count(tmp_path: Path) -> None:
    names = ("embeddings.weight", "encoder.layer.0.dense.weight", "encoder.layer.11.dense.weight", "layers.1.norm.bias")
    save_file({name: np.zeros(10**place) for place, name in enumerate(names)}, tmp_path / "x.safetensors")
    assert parameter_count(tmp_path / "x.safetensors", 1) == 11
    assert parameter_count(tmp_path / "x.safetensors", 2) == 1011
    assert parameter_count(tmp_path / "x.safetensors", 12) == 1111


@pytest.mark.parametrize("content", [b"", b"\xff" * 20, b"\x02\0\0\0\0\0\0\0[]", b'\x07\0\0\0\0\0\0\0{"a":1}'])
def test_other_files_are_one_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.safetensors").write_bytes(content)
    with pytest.raises(ModelError, match="is not a safetensors file"):
        parameter_count(tmp_path / "x.safetensors")


def test_the_facts_of_a_folder(tiny_model: Callable[..., Path]) -> None:
    folder = tiny_model("distilbert")
    facts = describe(folder)
    weights = folder / "model.safetensors"
    assert (facts.backend, facts.family, facts.layers, facts.dimension) == ("torch", "distilbert", 3, 32)
    assert facts.bytes == weights.stat().st_size
    assert facts.weights == hashlib.sha256(weights.read_bytes()).hexdigest()[:12]
    assert facts.tokenizer == hashlib.sha256((folder / "tokenizer.json").read_bytes()).hexdigest()[:12]


def test_the_facts_of_static_vectors(dev_model: Callable[[str], Path]) -> None:
    facts = describe(dev_model("potion-base-8m"))
    assert (facts.backend, facts.layers, facts.dimension, facts.longest) == ("static", 0, 256, None)
    assert facts.parameters is not None
    assert facts.parameters % 256 == 0
