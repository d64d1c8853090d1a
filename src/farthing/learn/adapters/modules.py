"""What an adapter adds to one place of a layer: a bottleneck (also of Kronecker products), scales, or low ranks."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, TypeAlias

import torch
from torch.nn import functional

Reads: TypeAlias = Literal["output", "normed", "input"]
Activate: TypeAlias = Callable[[torch.Tensor], torch.Tensor]
ACTIVATIONS: dict[str, Activate] = {"relu": torch.relu, "swish": functional.silu, "gelu": functional.gelu}


class PhmLinear(torch.nn.Module):
    """A linear layer whose matrix is a sum of Kronecker products of a shared rule and matrices of rank 1.

    :param rule: D x D x D numbers, shared by all such layers of an adapter
    """

    def __init__(self, before: int, after: int, rule: torch.nn.Parameter) -> None:
        super().__init__()
        self._rule = (rule,)  # in a tuple torch does not see it: the adapter as a whole holds it once
        size = len(rule)
        self.left = torch.nn.Parameter(_glorot(torch.empty(size, before // size, 1)))
        self.right = torch.nn.Parameter(_glorot(torch.empty(size, 1, after // size)))
        self.bias = torch.nn.Parameter(torch.zeros(after))

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """Multiply and add."""
        inner = self.left @ self.right
        matrix = torch.einsum("iab,icd->acbd", self._rule[0], inner)
        shape = (matrix.shape[0] * matrix.shape[1], matrix.shape[2] * matrix.shape[3])
        product: torch.Tensor = values @ matrix.reshape(shape) + self.bias
        return product


def _glorot(values: torch.Tensor) -> torch.Tensor:
    for one in values:
        torch.nn.init.xavier_uniform_(one)
    return values


class Bottleneck(torch.nn.Module):
    """A way down to a few numbers and up again.

    :param zero: start with a way up of zeros, so that nothing changes before training
    :param rule: shared by layers of Kronecker products; without it, both ways are full matrices
    """

    def __init__(
        self, width: int, narrow: int, activation: str, *, zero: bool = False, rule: torch.nn.Parameter | None = None
    ) -> None:
        super().__init__()
        self.activate = ACTIVATIONS[activation]
        self.down: torch.nn.Module
        self.up: torch.nn.Module
        if rule is not None:
            self.down, self.up = PhmLinear(width, narrow, rule), PhmLinear(narrow, width, rule)
            return
        down, up = torch.nn.Linear(width, narrow), torch.nn.Linear(narrow, width)
        for part in (down, up):
            torch.nn.init.normal_(part.weight, std=0.02)
            torch.nn.init.zeros_(part.bias)
        if zero:
            torch.nn.init.kaiming_uniform_(down.weight, a=math.sqrt(5))
            torch.nn.init.zeros_(up.weight)
        self.down, self.up = down, up

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """Go down and up."""
        result: torch.Tensor = self.up(self.activate(self.down(values)))
        return result


class AdaptedOutput(torch.nn.Module):
    """The end of a sub-layer (dense, dropout, residual, norm), with what an adapter adds before the norm.

    :param reads: what the adapter reads: the sub-layer's output, the same after residual and norm, or the sub-layer's
        input
    :param scale: what the adapter's result is multiplied by
    """

    def __init__(self, inner: torch.nn.Module, adapter: Bottleneck, reads: Reads, scale: float = 1.0) -> None:
        super().__init__()
        self.inner, self.adapter, self.reads, self.scale = inner, adapter, reads, scale

    def forward(self, hidden_states: torch.Tensor, input_tensor: torch.Tensor) -> torch.Tensor:
        """Do what the sub-layer does, with the adapter."""
        output = self.inner.dropout(self.inner.dense(hidden_states))  # type: ignore[operator]
        read = input_tensor if self.reads == "input" else output
        if self.reads == "normed":
            read = self.inner.LayerNorm(output + input_tensor)  # type: ignore[operator]
        added = output + self.scale * self.adapter(read)
        result: torch.Tensor = self.inner.LayerNorm(added + input_tensor)  # type: ignore[operator]
        return result


class ScaledLinear(torch.nn.Module):
    """A linear layer whose outputs are multiplied by learned numbers."""

    def __init__(self, inner: torch.nn.Linear) -> None:
        super().__init__()
        self.inner = inner
        self.scales = torch.nn.Parameter(torch.ones(inner.out_features))

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """Multiply, add, scale."""
        result: torch.Tensor = self.inner(values) * self.scales
        return result

    @torch.no_grad()
    def merged(self) -> torch.nn.Linear:
        """Put the scales into the weights; the bias is scaled, too."""
        self.inner.weight.mul_(self.scales[:, None])
        if self.inner.bias is not None:
            self.inner.bias.mul_(self.scales)
        return self.inner


class LowRankLinear(torch.nn.Module):
    """A linear layer with a product of two thin matrices beside its own (LoRA).

    :param alpha: the product is multiplied by this over its rank
    """

    def __init__(self, inner: torch.nn.Linear, rank: int, alpha: float) -> None:
        super().__init__()
        self.inner, self.scale = inner, alpha / rank
        self.down = torch.nn.Parameter(torch.empty(rank, inner.in_features))
        self.up = torch.nn.Parameter(torch.zeros(inner.out_features, rank))
        torch.nn.init.kaiming_uniform_(self.down, a=math.sqrt(5))

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """Add both products."""
        result: torch.Tensor = self.inner(values) + self.scale * (values @ self.down.T @ self.up.T)
        return result

    @torch.no_grad()
    def merged(self) -> torch.nn.Linear:
        """Put the product into the weights."""
        self.inner.weight.add_(self.scale * (self.up @ self.down))
        return self.inner
