"""Encoded texts, layers, and the fields of a signature."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import SpecError
from farthing.encoders.backends.torch import TorchEncoder
from farthing.encoders.load import load_encoder
from farthing.encoders.protocol import EncodedText, checked_layers


def test_unit_vectors_have_length_one_and_zeros_stay_zeros() -> None:
    states = np.array([[3.0, 4.0], [0.0, 0.0], [1e-20, 0.0]], dtype=np.float32)
    text = EncodedText(np.array([1, 2, 3]), slice(0, 3), {5: states})
    assert text.unit(5).tolist() == [[pytest.approx(0.6), pytest.approx(0.8)], [0, 0], [pytest.approx(1), 0]]
    assert text.unit(5) is text.unit(5)
    assert text.unit(5).dtype == np.float32


def test_layers_come_sorted_and_once(tiny_model: Callable[..., Path]) -> None:
    encoder = load_encoder(tiny_model("bert"))
    assert checked_layers(encoder, [3, 0, 3]) == (0, 3)
    with pytest.raises(SpecError, match=r"\(torch\) has no layer 4 \(there are: 0, 1, 2, 3\)"):
        checked_layers(encoder, [1, 4])


def test_the_fields_name_the_content_of_the_files(tiny_model: Callable[..., Path]) -> None:
    folder = tiny_model("roberta")
    digits = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest()[:12] for name in
              ("model.safetensors", "tokenizer.json")}  # fmt: skip
    expected = {
        "model": "tiny",
        "weights": digits["model.safetensors"],
        "tokenizer": digits["tokenizer.json"],
        "space": True,
        "backend": "torch",
        "dtype": "fp32",
    }
    assert TorchEncoder(folder, "tiny").fields() == expected
    assert TorchEncoder(folder, "tiny", cut=2).fields() == {**expected, "cut": 2}
