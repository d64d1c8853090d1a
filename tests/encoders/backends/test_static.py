"""Static vectors against model2vec itself, and sentence vectors by pooling."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import ModelError
from farthing.encoders.backends.static import StaticEncoder
from farthing.encoders.engine import Engine
from farthing.encoders.load import load_encoder
from farthing.encoders.sentence import sentence_vectors

TEXTS = ["The cat sat on the mat.", "Shares fell by 3.5%", "rain", "the cat"]


@pytest.fixture(scope="module")
def potion(dev_model: Callable[[str], Path]) -> Path:
    return dev_model("potion-base-8m")


def test_sentence_vectors_equal_model2vec(potion: Path) -> None:
    from model2vec import StaticModel

    expected = StaticModel.from_pretrained(potion).encode(TEXTS)
    found = sentence_vectors(Engine(load_encoder(potion)), TEXTS)
    assert np.abs(found - expected).max() < 1e-5


def test_token_vectors_are_rows_of_the_table(potion: Path) -> None:
    encoder = load_encoder(potion)
    assert isinstance(encoder, StaticEncoder)
    [(_, text)] = Engine(encoder).encode(["hello world"], [0])
    assert text.states[0] == pytest.approx(encoder.vectors[text.ids])
    assert (text.content, text.cut) == (slice(0, 2), False)


def test_weights_and_mapping_of_newer_models(potion: Path, tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    for name in ("config.json", "tokenizer.json"):
        (tmp_path / name).write_bytes((potion / name).read_bytes())
    size = StaticEncoder(potion, "x").tokenizer.size
    table = np.arange(8, dtype=np.float32).reshape(4, 2)
    mapping, weights = np.arange(size) % 4, np.linspace(0.5, 1.5, size).astype(np.float32)
    save_file({"embeddings": table, "mapping": mapping, "weights": weights}, tmp_path / "model.safetensors")
    encoder = StaticEncoder(tmp_path, "x")
    [found] = encoder.run(np.array([[5, 6, 1000]]), None, [0])
    assert found[0] == pytest.approx(np.stack([table[i % 4] * weights[i] for i in (5, 6, 1000)]))


def test_a_table_of_another_kind_is_refused(tiny_model: Callable[..., Path]) -> None:
    with pytest.raises(ModelError, match="no table called 'embeddings'"):
        StaticEncoder(tiny_model("bert"), "x")
