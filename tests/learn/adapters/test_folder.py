"""A saved adapter in its encoder, as a folder that metrics read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest
import torch

from farthing.core.errors import ModelError
from farthing.encoders.engine import Engine
from farthing.encoders.load import load_encoder
from farthing.learn.adapters.adapter import Adapter
from farthing.learn.adapters.folder import adapt_encoder
from farthing.learn.adapters.methods import AdapterMethod

SaveAdapter: TypeAlias = Callable[[Path, AdapterMethod, Path], Adapter]
TEXTS = ["the cat", "w1 w2 w3"]


@pytest.mark.parametrize("method", ["lora", "pfeiffer"])
def test_the_folder_encodes_as_the_adapted_model(
    method: AdapterMethod, saved: SaveAdapter, tiny_model: Callable[..., Path], tmp_path: Path
) -> None:
    encoder = tiny_model("bert")
    adapter = saved(encoder, method, tmp_path / "adapter")
    found = adapt_encoder(str(encoder), tmp_path / "adapter", tmp_path / "made")
    assert found.count == adapter.count
    made, plain = (load_encoder(folder) for folder in (tmp_path / "made", encoder))
    last = plain.layers[-1]
    for text, encoded in Engine(made, threads=1).encode(TEXTS, [last]):
        ids = torch.tensor([plain.tokenizer.wrapped(plain.tokenizer.contents([text])[0])])
        with torch.inference_mode():
            expected = adapter.model.eval()(ids).last_hidden_state[0].numpy()
        np.testing.assert_allclose(encoded.states[last], expected, atol=1e-5)


def test_another_encoder_is_refused(saved: SaveAdapter, tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    saved(tiny_model("bert"), "ia3", tmp_path / "adapter")
    with pytest.raises(ModelError, match="was trained for another encoder"):
        adapt_encoder(str(tiny_model("roberta")), tmp_path / "adapter", tmp_path / "made")
    with pytest.raises(ModelError, match=r"nothing is no adapter: it has no adapter\.json"):
        adapt_encoder(str(tiny_model("bert")), tmp_path / "nothing", tmp_path / "made")
    assert not (tmp_path / "made").exists()
