"""Encoders of a judge, which give every token a vector and a weight: a transformer cut at a layer, or tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import torch
from torch.nn import functional

from farthing.core.errors import UsageError
from farthing.encoders.backends.pretrained import load_config, load_pretrained
from farthing.learn.adapters.adapter import Adapter
from farthing.learn.train.layers import drop_layers, keep_first_layers
from farthing.learn.train.numbers import has_bfloat16

if TYPE_CHECKING:
    from transformers import PreTrainedModel

AnyTokens: TypeAlias = "ContextualTokens | SharedTokens | BranchTokens | StaticTokens"
EVEN = 0.5413  # softplus of it is 1: every token weighs the same before training


class ContextualTokens(torch.nn.Module):
    """The hidden states of a transformer's layer, with learned weights and an optional table beside them.

    :param skip: one vector per id, which is added to the projected state of its token
    :param adapter: what learns of the transformer; by default all of it
    """

    def __init__(
        self, model: PreTrainedModel, skip: torch.Tensor | None = None, adapter: Adapter | None = None
    ) -> None:
        super().__init__()
        self.model, self.adapter = model, adapter
        self.fast = has_bfloat16()
        width = model.config.hidden_size
        self.weight = _even_weights(width)
        self.width = width if skip is None else skip.shape[1]
        self.skip: torch.nn.Embedding | None = None
        if skip is not None:
            self.project = torch.nn.Linear(width, skip.shape[1])
            self.skip = _embedding(skip)

    @torch.no_grad()
    def start(self, vectors: torch.Tensor, weights: torch.Tensor) -> None:
        """Start from a table, with a transformer that adds little yet; the weights of tokens stay as they are."""
        if self.skip is None:
            raise UsageError("these tokens have no table beside the transformer")
        self.skip.weight.copy_(vectors)
        self.project.weight.mul_(0.3)
        torch.nn.init.zeros_(self.project.bias)

    def lowest(self, layers: int) -> list[torch.nn.Module]:
        """List the embeddings and the first layers of the transformer."""
        return [self.model.embeddings, *self.model.encoder.layer[:layers]]

    def states(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Run the transformer."""
        return run_transformer(self.model, ids, mask, self.fast)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Give unit vectors and positive weights, also of special tokens and padding."""
        states = self.states(ids, mask)
        weights = functional.softplus(self.weight(states))[..., 0]
        if self.skip is not None:
            states = self.project(states) + self.skip(ids)
        return functional.normalize(states, dim=-1), weights


class SharedTokens(torch.nn.Module):
    """The vectors of another judge's transformer, with weights of their own.

    :param owner: the tokens that have the transformer, which is no part of these, so that it is stored once
    """

    def __init__(self, owner: ContextualTokens) -> None:
        super().__init__()
        self._owner = (owner,)  # in a tuple torch does not see it
        self.width = owner.model.config.hidden_size
        self.weight = _even_weights(self.width)

    @property
    def owner(self) -> ContextualTokens:
        """The tokens that have the transformer."""
        return self._owner[0]

    def lowest(self, layers: int) -> list[torch.nn.Module]:
        """List nothing: the layers are the owner's."""
        return []

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Give unit vectors and positive weights, also of special tokens and padding."""
        states = self.owner.states(ids, mask)
        return functional.normalize(states, dim=-1), functional.softplus(self.weight(states))[..., 0]


class BranchTokens(torch.nn.Module):
    """A transformer of its own whose embeddings and lowest layers are those of another judge, and stored once.

    :param owner: the tokens that have the embeddings and the lowest layers, which are no part of these
    :param model: the transformer whose upper layers become these tokens' own
    :param shared: how many of the owner's lowest layers it shares; all must stay as they are while either learns
    """

    def __init__(self, owner: ContextualTokens, model: PreTrainedModel, shared: int) -> None:
        super().__init__()
        layers = model.encoder.layer
        if not 0 <= shared <= min(len(layers), len(owner.model.encoder.layer)):
            raise UsageError(f"two judges cannot share {shared} layers: one of them has fewer")
        self.layers = torch.nn.ModuleList(layers[shared:])
        model.embeddings = owner.model.embeddings
        model.encoder.layer = torch.nn.ModuleList([*owner.model.encoder.layer[:shared], *self.layers])
        self.shared = shared
        self._whole = (model, owner)  # in a tuple torch does not see them
        self.width = owner.model.config.hidden_size
        self.weight = _even_weights(self.width)

    @property
    def model(self) -> PreTrainedModel:
        """The whole transformer, with what it shares."""
        return self._whole[0]

    @property
    def owner(self) -> ContextualTokens:
        """The tokens that have the embeddings and the lowest layers."""
        return self._whole[1]

    def lowest(self, layers: int) -> list[torch.nn.Module]:
        """List those of the first layers that are its own; the others are the owner's."""
        return list(self.layers[: max(0, layers - self.shared)])

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Give unit vectors and positive weights, also of special tokens and padding."""
        states = run_transformer(self.model, ids, mask, self.owner.fast)
        return functional.normalize(states, dim=-1), functional.softplus(self.weight(states))[..., 0]


class StaticTokens(torch.nn.Module):
    """No transformer: one vector and one weight per id, both moved by the tokens in a window around the token.

    :param size: how many ids there are
    :param width: numbers per vector
    :param near: numbers per row of the narrower table that the window reads
    :param window: how many tokens it reads to each side
    """

    def __init__(self, size: int, width: int, near: int = 64, window: int = 3) -> None:
        super().__init__()
        self.width = width
        self.table = _embedding(0.1 * torch.randn(size, width))
        self.weight = _embedding(torch.full((size, 1), EVEN))
        self.near = _embedding(0.5 * torch.randn(size, near))
        self.mix = torch.nn.Conv1d(near, near, 2 * window + 1, padding=window)
        self.out = torch.nn.Linear(near, width, bias=False)
        self.heavy = torch.nn.Linear(near, 1, bias=False)
        torch.nn.init.zeros_(self.heavy.weight)

    @torch.no_grad()
    def start(self, vectors: torch.Tensor, weights: torch.Tensor) -> None:
        """Start from a table; what the window reads starts from the main directions of the same vectors."""
        self.table.weight.copy_(vectors)
        self.weight.weight.copy_(_before_softplus(weights)[:, None])
        apart = vectors - vectors.mean(dim=0)
        main = apart @ torch.linalg.eigh(apart.T @ apart).eigenvectors.flip(1)[:, : self.near.embedding_dim]
        self.near.weight[:, : main.shape[1]] = 0.5 * main / main.std()
        self.out.weight.mul_(0.3)

    def lowest(self, layers: int) -> list[torch.nn.Module]:
        """List nothing: tables have no layers."""
        return []

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Give unit vectors and positive weights, also of special tokens and padding."""
        near = self.near(ids) * mask[..., None]
        hidden = torch.relu(self.mix(near.transpose(1, 2))).transpose(1, 2)
        weights = functional.softplus(self.weight(ids) + self.heavy(hidden))[..., 0]
        return functional.normalize(self.table(ids) + self.out(hidden), dim=-1), weights


def owner_of(tokens: ContextualTokens | SharedTokens | BranchTokens) -> ContextualTokens:
    """Return the tokens that have the embeddings."""
    return tokens if isinstance(tokens, ContextualTokens) else tokens.owner


def run_transformer(model: PreTrainedModel, ids: torch.Tensor, mask: torch.Tensor, fast: bool) -> torch.Tensor:
    """Return the last hidden states.

    :param fast: compute products in bfloat16
    """
    with torch.autocast(ids.device.type, torch.bfloat16, enabled=fast):
        states: torch.Tensor = model(input_ids=ids, attention_mask=mask).last_hidden_state
    return states.float()


def _even_weights(width: int) -> torch.nn.Linear:
    """Make a layer that gives every token the same weight until it learns better."""
    layer = torch.nn.Linear(width, 1)
    torch.nn.init.zeros_(layer.weight)
    torch.nn.init.constant_(layer.bias, EVEN)
    return layer


def _before_softplus(values: torch.Tensor) -> torch.Tensor:
    return torch.log(torch.expm1(values.clamp(1e-3, 20.0)))


def _embedding(table: torch.Tensor) -> torch.nn.Embedding:
    rows, width = table.shape
    return torch.nn.Embedding(rows, width, _weight=table.clone())


def load_transformer(folder: Path, depth: int | None, dropped: Sequence[int] = ()) -> PreTrainedModel:
    """Load an encoder from a model's folder, without dropout.

    :param depth: cut it after so many layers
    :param dropped: leave out these layers, counted from 0
    """
    # with thousands of pairs dropout costs more than it gives
    config = load_config(folder, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
    model = load_pretrained(folder, config=config)
    model.set_attn_implementation("eager")  # the fused one is slow backwards on CPUs: a third of a step
    if depth is not None:
        keep_first_layers(model, depth)
    if dropped:
        drop_layers(model, dropped)
    model.pooler = None
    # on processors, the gradient of torch's own attention costs several times as much as that of its single steps
    model.config._attn_implementation = "eager"
    return model
