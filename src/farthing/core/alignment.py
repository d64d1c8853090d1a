"""Which token matches which."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from farthing.core.arrays import Indices, Matrix, Weights


@dataclass(frozen=True, slots=True)
class Alignment:
    """Which candidate token matches which reference token, and how strongly.

    :param similarity: one row per candidate token, one column per reference token
    :param matches: the index of every candidate token's partner, -1 for none
    :param back_matches: the index of every reference token's partner, -1 for none
    """

    candidate_tokens: tuple[str, ...]
    reference_tokens: tuple[str, ...]
    similarity: Matrix
    matches: Indices
    back_matches: Indices
    candidate_weights: Weights
    reference_weights: Weights
    parts: Mapping[str, float] = field(default_factory=dict)


@runtime_checkable
class Aligns(Protocol):
    """A metric that can show which tokens it matched."""

    def align(self, candidate: str, reference: str) -> Alignment:
        """Align the tokens of a candidate with those of a reference."""
        ...
