"""Put an adapter into an encoder, take it out again, and merge it into the weights if it can be.

Six methods, with the settings of the library `adapters` 1.3.0, whose numbers they reproduce. peft has two of them (lora
and ia3, the latter at another place of the feed-forward part) and no bottleneck, so one small module serves for all. An
encoder needs BERT's layers (BERT, RoBERTa, XLM-R, ELECTRA and their like).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import torch

from farthing.core.errors import ModelError, UnknownName, UsageError
from farthing.encoders.backends.torch import find_blocks
from farthing.learn.adapters.methods import MERGEABLE, METHODS, AdapterMethod
from farthing.learn.adapters.modules import AdaptedOutput, Bottleneck, LowRankLinear, Reads, ScaledLinear

if TYPE_CHECKING:
    from transformers import PreTrainedModel

RULE = "rule"  # the parameter that all layers of compacter share
_DIMENSION = 4  # of compacter's rule
_RULE_SPREAD = 1e-4
_RANK, _ALPHA = 8, 8.0  # of lora
_ATTENTION, _FORWARD = "attention.output", "output"  # where the two sub-layers of a layer end
Wrapped: TypeAlias = "AdaptedOutput | ScaledLinear | LowRankLinear"


@dataclass(frozen=True, slots=True)
class _Placement:
    """A bottleneck method: where it is put, how narrow it is, what it reads."""

    ends: tuple[str, ...]
    reduction: int
    activation: str
    reads: Reads
    scale: float = 1.0
    zero: bool = False


_BOTTLENECKS: Mapping[str, _Placement] = {
    "pfeiffer": _Placement((_FORWARD,), 16, "relu", "normed"),
    "houlsby": _Placement((_ATTENTION, _FORWARD), 16, "swish", "output"),
    "parallel": _Placement((_FORWARD,), 2, "relu", "input", scale=4.0, zero=True),
    "compacter": _Placement((_ATTENTION, _FORWARD), 32, "gelu", "output"),
}
_LINEARS = {
    "ia3": ("attention.self.key", "attention.self.value", "intermediate.dense"),
    "lora": ("attention.self.query", "attention.self.value"),
}


class Adapter:
    """An adapter inside an encoder; nothing else of the encoder learns.

    :param model: an encoder, or a model with an encoder inside; is changed in place
    """

    def __init__(self, model: PreTrainedModel, method: AdapterMethod) -> None:
        if method not in METHODS:
            raise UnknownName("adapter", method, METHODS)
        self.model, self.method = model, method
        width = model.config.hidden_size
        self.rule = _rule(width) if method == "compacter" else None
        if self.rule is not None:
            model.register_parameter(RULE, self.rule)  # so that it is saved and moved with the model
        self.parts: dict[str, Wrapped] = {}
        for number, layer in enumerate(layers_of(model)):
            for end in _BOTTLENECKS[method].ends if method in _BOTTLENECKS else _LINEARS[method]:
                self.parts[f"{number}.{end}"] = _wrap(layer, end, self._made(layer.get_submodule(end), width))
        self.freeze_rest()

    def freeze_rest(self) -> None:
        """Let nothing of the model learn but the adapter."""
        self.model.requires_grad_(False)
        for _, parameter in self.named_parameters():
            parameter.requires_grad_(True)

    def _made(self, inner: torch.nn.Module, width: int) -> Wrapped:
        """Make what stands in the place of a part of a layer."""
        device = next(inner.parameters()).device
        placement = _BOTTLENECKS.get(self.method)
        made: Wrapped
        if placement is not None:
            narrow = max(1, width // placement.reduction)
            bottleneck = Bottleneck(width, narrow, placement.activation, zero=placement.zero, rule=self.rule)
            made = AdaptedOutput(inner, bottleneck, placement.reads, placement.scale)
        else:
            assert isinstance(inner, torch.nn.Linear)
            made = ScaledLinear(inner) if self.method == "ia3" else LowRankLinear(inner, _RANK, _ALPHA)
        return made.to(device)

    def named_parameters(self) -> Iterator[tuple[str, torch.nn.Parameter]]:
        """Yield what learns, with names that do not depend on the encoder around it."""
        if self.rule is not None:
            yield RULE, self.rule
        for place, part in self.parts.items():
            for name, parameter in part.named_parameters():
                if not name.startswith("inner."):
                    yield f"{place}.{name.removeprefix('adapter.')}", parameter

    @property
    def count(self) -> int:
        """How many numbers learn."""
        return sum(parameter.numel() for _, parameter in self.named_parameters())

    @property
    def mergeable(self) -> bool:
        """Whether the adapter can become part of the encoder's own weights."""
        return self.method in MERGEABLE

    def merge(self) -> None:
        """Put the adapter into the encoder's own weights, which then has the layers that it had before."""
        if not self.mergeable:
            raise UsageError(f"a {self.method} adapter cannot be merged: only {' and '.join(MERGEABLE)} can")
        for part in self.parts.values():
            if isinstance(part, ScaledLinear | LowRankLinear):
                part.merged()
        self.remove()

    def remove(self) -> None:
        """Take the adapter out; the encoder is what it was."""
        for number, layer in enumerate(layers_of(self.model)):
            for place, part in self.parts.items():
                owner, _, end = place.partition(".")
                if owner == str(number):
                    _wrap(layer, end, part.inner)
        if self.rule is not None:
            del self.model._parameters[RULE]


def layers_of(model: PreTrainedModel) -> list[torch.nn.Module]:
    """Return the layers of an encoder; those that are not built as BERT's raise a sentence."""
    blocks = find_blocks(model, model.config.num_hidden_layers)
    needed = ("attention.self.query", "attention.output", "intermediate.dense", "output")
    layers = [] if blocks is None else list(blocks)
    names = [{name for name, _ in layer.named_modules()} for layer in layers]
    if not layers or not all(set(needed) <= own for own in names):
        raise ModelError(f"adapters need layers as BERT has them; those of a {model.config.model_type} are different")
    return layers


def _wrap(layer: torch.nn.Module, end: str, part: torch.nn.Module) -> Wrapped:
    owner, _, name = end.rpartition(".")
    setattr(layer.get_submodule(owner), name, part)
    return part  # type: ignore[return-value]


def _rule(width: int) -> torch.nn.Parameter:
    narrow = width // _BOTTLENECKS["compacter"].reduction
    if width % _DIMENSION or narrow % _DIMENSION or not narrow:
        raise UsageError(
            f"compacter needs an encoder whose width and a 32nd of it are divisible by {_DIMENSION}; {width} is not"
        )
    return torch.nn.Parameter(_RULE_SPREAD * torch.randn(_DIMENSION, _DIMENSION, _DIMENSION))
