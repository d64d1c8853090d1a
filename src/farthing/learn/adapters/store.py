"""An adapter on disk: its own numbers alone, and what says which encoder they belong to.

FOLDER/adapter.safetensors   the numbers
FOLDER/adapter.json          method, the encoder's shape, and a digest of its weights
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

import torch

from farthing.core.digest import digest_stream
from farthing.core.errors import ModelError
from farthing.encoders.tokens.tokenize import read_json
from farthing.learn.adapters.adapter import Adapter, layers_of
from farthing.learn.adapters.methods import AdapterMethod

if TYPE_CHECKING:
    from transformers import PreTrainedModel

NUMBERS, ABOUT = "adapter.safetensors", "adapter.json"


def encoder_facts(model: PreTrainedModel) -> dict[str, object]:
    """Say which encoder this is: its family, its size, and a digest of the layers' weights.

    The adapter must not be inside yet. Only the layers count, so that a new head or a shorter vocabulary is no matter.
    """
    layers = layers_of(model)
    numbers = (part.detach().cpu().float().contiguous().numpy() for layer in layers for part in layer.parameters())
    return {
        "family": model.config.model_type,
        "layers": len(layers),
        "width": model.config.hidden_size,
        "weights": digest_stream(part.tobytes() for part in numbers),
    }


def save_adapter(adapter: Adapter, folder: Path, encoder: Mapping[str, object]) -> None:
    """Write an adapter alone into a folder, which is made.

    :param encoder: what :func:`encoder_facts` said before the adapter was put in
    """
    from safetensors.torch import save_file

    folder.mkdir(parents=True, exist_ok=True)
    save_file({name: part.detach().cpu().contiguous() for name, part in adapter.named_parameters()}, folder / NUMBERS)
    about = {"method": adapter.method, "parameters": adapter.count, "encoder": dict(encoder)}
    (folder / ABOUT).write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")


def load_adapter(model: PreTrainedModel, folder: Path) -> Adapter:
    """Put a saved adapter into its encoder; another encoder raises a sentence."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    if not (folder / ABOUT).is_file():
        raise ModelError(f"{folder} is no adapter: it has no {ABOUT}")
    about = read_json(folder / ABOUT)
    told, found = about.get("encoder"), encoder_facts(model)
    if told != found:
        raise ModelError(f"{folder} was trained for another encoder{_difference(told, found)}: give that one")
    try:
        numbers = load_file(folder / NUMBERS)
    except (OSError, SafetensorError) as error:
        raise ModelError(f"{folder / NUMBERS} cannot be read: {error}") from error
    adapter = Adapter(model, cast(AdapterMethod, about.get("method")))
    own = dict(adapter.named_parameters())
    if {name: part.shape for name, part in own.items()} != {name: part.shape for name, part in numbers.items()}:
        raise ModelError(f"{folder / NUMBERS} does not hold the numbers of a {adapter.method} adapter")
    with torch.no_grad():
        for name, part in own.items():
            part.copy_(numbers[name])
    return adapter


def _difference(told: object, found: Mapping[str, object]) -> str:
    """Say in what two encoders differ."""
    if not isinstance(told, Mapping):
        return ""
    shapes = [f"{one.get('family')} of {one.get('layers')} layers, {one.get('width')} wide" for one in (told, found)]
    return " of the same shape" if shapes[0] == shapes[1] else f" ({shapes[0]}, not {shapes[1]})"
