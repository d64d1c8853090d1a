"""An adapter is saved alone and fits its own encoder only."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
import torch

from farthing.core.errors import ModelError
from farthing.encoders.backends.pretrained import load_pretrained
from farthing.learn.adapters.adapter import Adapter
from farthing.learn.adapters.methods import METHODS, AdapterMethod
from farthing.learn.adapters.store import ABOUT, NUMBERS, load_adapter

SaveAdapter: TypeAlias = Callable[[Path, AdapterMethod, Path], Adapter]


@pytest.mark.parametrize("method", METHODS)
def test_a_saved_adapter_comes_back(
    method: AdapterMethod, saved: SaveAdapter, parity_encoder: Path, tmp_path: Path
) -> None:
    adapter = saved(parity_encoder, method, tmp_path / "adapter")
    again = load_adapter(load_pretrained(parity_encoder), tmp_path / "adapter")
    ids = torch.tensor([[2, 7, 30, 3]])
    with torch.inference_mode():
        torch.testing.assert_close(again.model(ids).last_hidden_state, adapter.model(ids).last_hidden_state)
    assert again.count == adapter.count
    assert (tmp_path / "adapter" / NUMBERS).stat().st_size < 4 * adapter.count + 10_000


def test_another_encoder_is_refused(
    saved: SaveAdapter, parity_encoder: Path, tiny_model: Callable[..., Path], tmp_path: Path
) -> None:
    saved(parity_encoder, "pfeiffer", tmp_path / "adapter")
    other = load_pretrained(parity_encoder)
    with torch.no_grad():
        next(other.encoder.parameters()).add_(1.0)
    with pytest.raises(ModelError, match="was trained for another encoder of the same shape: give that one"):
        load_adapter(other, tmp_path / "adapter")
    with pytest.raises(
        ModelError, match=r"another encoder \(bert of 3 layers, 128 wide, not bert of 3 layers, 32 wide"
    ):
        load_adapter(load_pretrained(tiny_model("bert")), tmp_path / "adapter")


def test_a_damaged_adapter_is_told(saved: SaveAdapter, parity_encoder: Path, tmp_path: Path) -> None:
    saved(parity_encoder, "ia3", tmp_path / "adapter")
    (tmp_path / "adapter" / NUMBERS).write_bytes(b"nothing")
    with pytest.raises(ModelError, match=r"adapter.safetensors cannot be read"):
        load_adapter(load_pretrained(parity_encoder), tmp_path / "adapter")
    about = tmp_path / "adapter" / ABOUT
    about.write_text(about.read_text().replace('"ia3"', '"lora"'))
    saved(parity_encoder, "ia3", tmp_path / "other")
    (tmp_path / "adapter" / NUMBERS).write_bytes((tmp_path / "other" / NUMBERS).read_bytes())
    with pytest.raises(ModelError, match="does not hold the numbers of a lora adapter"):
        load_adapter(load_pretrained(parity_encoder), tmp_path / "adapter")
