"""Which part of a transformer is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from farthing.core.errors import ModelError, UsageError

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel


def keep_first_layers(model: PreTrainedModel, depth: int) -> None:
    """Cut an encoder after its first layers, in place."""
    available = model.config.num_hidden_layers
    if not 1 <= depth <= available:
        raise UsageError(f"the model has {available} layers: it cannot keep the first {depth}")
    del _layers(model)[depth:]
    model.config.num_hidden_layers = depth


def drop_layers(model: PreTrainedModel, dropped: Sequence[int]) -> None:
    """Leave out some layers of an encoder, counted from 0, in place; each of the others keeps its weights."""
    available = model.config.num_hidden_layers
    if not {*dropped} < {*range(available)}:
        raise UsageError(f"the model has {available} layers: it cannot leave out {', '.join(map(str, dropped))}")
    layers = _layers(model)
    for place in sorted({*dropped}, reverse=True):
        del layers[place]
    model.config.num_hidden_layers = len(layers)


def _layers(model: PreTrainedModel) -> torch.nn.ModuleList:
    import torch

    available = model.config.num_hidden_layers
    lists = [part for part in model.modules() if isinstance(part, torch.nn.ModuleList) and len(part) == available]
    if len(lists) != 1:
        raise ModelError(f"the layers of a {model.config.model_type} are not found: cut the model beforehand")
    return lists[0]


def count_parameters(model: torch.nn.Module) -> int:
    """Count the numbers that a model has."""
    return sum(part.numel() for part in model.parameters())
