"""An estimator while it learns: the encoder, the mix of its layers, and the head.

:mod:`farthing.students.regressor` does the same arithmetic in numpy; a test compares both with COMET.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch

from farthing.encoders.sentence import Pooling
from farthing.learn.train.numbers import has_bfloat16
from farthing.students.regressor import EstimatorShape

if TYPE_CHECKING:
    from transformers import PreTrainedModel

LAYER_DROPOUT = 0.1  # how often a layer is left out of a mix in training
_GONE = -1e20  # the weight of a layer that is left out
_EPSILON = 1e-12  # of the norm of layers
_ACTIVATIONS = {"tanh": torch.nn.Tanh, "sigmoid": torch.nn.Sigmoid, "relu": torch.nn.ReLU}


class RowBatch(NamedTuple):
    """Rows of texts: the padded ids of every distinct text, and which of them each row has.

    :param places: one row per candidate: its own text, then those that it is compared with
    :param targets: one score per row
    """

    ids: torch.Tensor
    mask: torch.Tensor
    places: torch.Tensor
    targets: torch.Tensor


class LayerMix(torch.nn.Module):
    """A weighted sum of the states of all layers.

    :param depth: how many layers there are, the embeddings included
    """

    def __init__(self, shape: EstimatorShape, depth: int) -> None:
        super().__init__()
        self.shape = shape
        if shape.layer is None:
            self.weights = torch.nn.Parameter(torch.zeros(depth))
            self.gamma = torch.nn.Parameter(torch.ones(()))

    def forward(self, states: Sequence[torch.Tensor]) -> torch.Tensor:
        """Mix the states of all layers, or return those of the only one."""
        if self.shape.layer is not None:
            return states[self.shape.layer]
        weights: torch.Tensor = self.weights
        if self.training:
            kept = torch.rand_like(weights) > LAYER_DROPOUT
            weights = torch.where(kept | ~kept.any(), weights, _GONE)  # never all of them
        normal = sparse_weights(weights) if self.shape.transform == "sparsemax" else torch.softmax(weights, dim=0)
        mixed = torch.zeros_like(states[0])
        for weight, state in zip(normal, states, strict=True):
            mixed = mixed + weight * state
        return self.gamma * mixed


def sparse_weights(values: torch.Tensor) -> torch.Tensor:
    """Compute sparsemax; gradients flow to the weights that are not 0."""
    ordered = torch.sort(values, descending=True).values
    sums, counts = torch.cumsum(ordered, dim=0), torch.arange(1, len(values) + 1, device=values.device)
    size = int((1 + counts * ordered > sums).sum())
    return torch.clamp(values - (sums[size - 1] - 1) / size, min=0)


def _normal(states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Bring the states of each text to mean 0 and deviation 1, over all its tokens and dimensions."""
    wide = mask[..., None].to(states.dtype)
    count = wide.sum(dim=(1, 2), keepdim=True) * states.shape[-1]
    apart = states - (states * wide).sum(dim=(1, 2), keepdim=True) / count
    variance = ((apart * wide) ** 2).sum(dim=(1, 2), keepdim=True) / count
    return apart / torch.sqrt(variance + _EPSILON)


def pooled(states: torch.Tensor, mask: torch.Tensor, pooling: Pooling) -> torch.Tensor:
    """Make one vector per text of those of its tokens."""
    if pooling == "cls":
        return states[:, 0]
    inside = mask[..., None].bool()
    if pooling == "max":
        return states.masked_fill(~inside, -torch.inf).amax(dim=1)
    return states.masked_fill(~inside, 0.0).sum(dim=1) / mask.sum(dim=1, keepdim=True)


class EstimatorModel(torch.nn.Module):
    """An encoder with a mix and a head.

    :param dropout: of the head, in training
    :param fast: compute the encoder's products in bfloat16; by default if the machine has them
    """

    def __init__(
        self, encoder: PreTrainedModel, shape: EstimatorShape, dropout: float = 0.1, fast: bool | None = None
    ) -> None:
        super().__init__()
        self.encoder, self.shape = encoder, shape
        self.fast = has_bfloat16() if fast is None else fast
        self.mix = LayerMix(shape, encoder.config.num_hidden_layers + 1)
        widths = [shape.width(encoder.config.hidden_size), *shape.hidden]
        parts: list[torch.nn.Module] = []
        for before, after in pairwise(widths):
            parts += [torch.nn.Linear(before, after), _ACTIVATIONS[shape.activation](), torch.nn.Dropout(dropout)]
        parts += [torch.nn.Linear(widths[-1], 1), *([_ACTIVATIONS[shape.final]()] if shape.final else [])]
        self.head = torch.nn.Sequential(*parts)

    def vectors(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Give one vector per text."""
        with torch.autocast(ids.device.type, torch.bfloat16, enabled=self.fast):
            states = self.encoder(input_ids=ids, attention_mask=mask, output_hidden_states=True).hidden_states
        layers = [_normal(state.float(), mask) if self.shape.layer_norm else state.float() for state in states]
        if self.shape.pooling == "max":
            return pooled(self.mix(layers), mask, "max")
        # Means and first tokens may be mixed instead of the states of all tokens: the same, and far less to keep.
        vectors: torch.Tensor = self.mix([pooled(layer, mask, self.shape.pooling) for layer in layers])
        return vectors

    def forward(self, batch: RowBatch) -> torch.Tensor:
        """Give one score per row."""
        vectors = self.vectors(batch.ids, batch.mask)
        candidates, *others = (vectors[column] for column in batch.places.T)
        compared = [part for other in others for part in (candidates * other, (candidates - other).abs())]
        scores: torch.Tensor = self.head(torch.cat([candidates, others[0], *compared], dim=1))[:, 0]
        return scores

    @property
    def dense(self) -> list[torch.nn.Linear]:
        """The layers of the head that have weights."""
        return [part for part in self.head if isinstance(part, torch.nn.Linear)]

    def arrays(self) -> dict[str, np.ndarray]:
        """Return mix and head as head.safetensors holds them."""
        mix = {f"mix.{name}": part for name, part in self.mix.named_parameters()}
        dense = {f"dense.{n}.{name}": part for n, one in enumerate(self.dense) for name, part in one.named_parameters()}
        return {name: part.detach().cpu().float().numpy() for name, part in {**mix, **dense}.items()}

    @torch.no_grad()
    def take(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Take over mix and head from what :meth:`arrays` gave."""
        own = {f"mix.{name}": part for name, part in self.mix.named_parameters()}
        own |= {f"dense.{n}.{name}": part for n, one in enumerate(self.dense) for name, part in one.named_parameters()}
        for name, part in own.items():
            part.copy_(torch.from_numpy(arrays[name]).reshape(part.shape))
