"""Adapters give the numbers of the published library, count as it does, and merge."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from farthing.core.errors import ModelError, UnknownName, UsageError
from farthing.encoders.backends.pretrained import load_pretrained
from farthing.learn.adapters.adapter import RULE, Adapter
from farthing.learn.adapters.methods import MERGEABLE, METHODS


def our_name(name: str) -> str:
    """Our name of a parameter of the library."""
    if name.startswith("shared_parameters"):
        return RULE
    number, _, rest = name.removeprefix("encoder.layer.").partition(".")
    changes = {".adapters.one.adapter_down.0.": ".down.", ".adapters.one.adapter_up.": ".up."}
    changes |= {"W_left": "left", "W_right": "right", ".loras.one.lora_A": ".down", ".loras.one.lora_B": ".up"}
    for before, after in changes.items():
        rest = rest.replace(before, after)
    return f"{number}.{rest}"


def fill(adapter: Adapter, parity: Any, shapes: dict[str, list[int]]) -> None:
    """Give an adapter the numbers that the script gave the library."""
    own = dict(adapter.named_parameters())
    for name, shape in shapes.items():
        value = torch.from_numpy(parity.values(name, shape))
        target = our_name(name)
        if adapter.method == "ia3":
            target, value = target.removesuffix(".up") + ".scales", value[:, 0] + 1
        if target.endswith(".b"):
            target = target.removesuffix("b") + "bias"
        with torch.no_grad():
            own.pop(target).copy_(value)
    assert not own


def states(model: Any, parity: Any) -> np.ndarray:
    ids, mask = (torch.from_numpy(part) for part in parity.padded(parity.CANDIDATES))
    with torch.inference_mode():
        return np.asarray(model(input_ids=ids, attention_mask=mask).last_hidden_state)


@pytest.fixture(params=METHODS)
def filled(request: pytest.FixtureRequest, published: Callable[[str], Any], parity: Any, parity_encoder: Path) -> Any:
    said, notes = published("adapters")
    adapter = Adapter(load_pretrained(parity_encoder), request.param)
    fill(adapter, parity, notes[request.param]["shapes"])
    return adapter, said[f"{request.param}.states"], notes[request.param]


def test_an_adapted_encoder_gives_the_numbers_of_the_library(filled: Any, parity: Any) -> None:
    adapter, said, notes = filled
    np.testing.assert_allclose(states(adapter.model, parity), said, atol=1e-5)
    assert adapter.count == notes["trainable"]


def test_only_the_adapter_learns(filled: Any) -> None:
    adapter, _, notes = filled
    trained = [part for part in adapter.model.parameters() if part.requires_grad]
    assert sum(part.numel() for part in trained) == notes["trainable"]


def test_a_merged_adapter_changes_nothing(filled: Any, parity: Any, parity_encoder: Path) -> None:
    adapter, _, _ = filled
    before = states(adapter.model, parity)
    if adapter.method not in MERGEABLE:
        with pytest.raises(UsageError, match="cannot be merged: only ia3 and lora can"):
            adapter.merge()
        return
    adapter.merge()
    assert set(adapter.model.state_dict()) == set(load_pretrained(parity_encoder).state_dict())
    deviation = np.abs(states(adapter.model, parity) - before)
    assert deviation.max() < 1e-6 * max(1.0, float(np.abs(before).max()))


def test_a_removed_adapter_leaves_the_encoder_as_it_was(filled: Any, parity: Any, parity_encoder: Path) -> None:
    adapter, _, _ = filled
    adapter.remove()
    plain = load_pretrained(parity_encoder)
    assert set(adapter.model.state_dict()) == set(plain.state_dict())
    np.testing.assert_array_equal(states(adapter.model, parity), states(plain, parity))


@pytest.mark.parametrize("method", ["ia3", "lora", "parallel"])
def test_before_training_these_change_nothing(method: Any, parity: Any, parity_encoder: Path) -> None:
    plain = states(load_pretrained(parity_encoder), parity)
    adapter = Adapter(load_pretrained(parity_encoder), method)
    np.testing.assert_allclose(states(adapter.model, parity), plain, atol=1e-5)


@pytest.mark.parametrize("method", METHODS)
def test_every_number_gets_a_gradient(method: Any, parity: Any, parity_encoder: Path) -> None:
    adapter = Adapter(load_pretrained(parity_encoder), method)
    with torch.no_grad():
        for _, part in adapter.named_parameters():
            part.add_(0.1 * torch.randn_like(part))  # what starts at 0 hides what stands behind it
    adapter.model(torch.tensor([[2, 7, 9, 3]])).last_hidden_state.square().mean().backward()
    assert all(part.grad is not None and part.grad.abs().sum() > 0 for _, part in adapter.named_parameters())


def test_mistakes_are_told(parity_encoder: Path, tiny_model: Callable[..., Path]) -> None:
    with pytest.raises(UnknownName, match="unknown adapter 'pfeifer'; did you mean 'pfeiffer'"):
        Adapter(load_pretrained(parity_encoder), "pfeifer")  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="adapters need layers as BERT has them; those of a mpnet are different"):
        Adapter(load_pretrained(tiny_model("mpnet")), "pfeiffer")
    with pytest.raises(UsageError, match="compacter needs an encoder whose width"):
        Adapter(load_pretrained(tiny_model("bert")), "compacter")
