"""What a source of training pairs is: groups of texts that say more or less the same, and the pairs of each group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol

import numpy as np


@dataclass(frozen=True, slots=True)
class Variant:
    """A text and what made it: "human", "lead", a model's name …"""

    text: str
    generator: str


@dataclass(frozen=True, slots=True)
class TrainingPair:
    """Two more or less related texts, with where they come from."""

    candidate: str
    reference: str
    source: str
    generator: str
    reference_generator: str
    document: str


class PairSource(Protocol):
    """Makes pairs. Its options are the keyword arguments of its constructor, as a recipe gives them."""

    name: str

    def pairs(self, random: np.random.Generator) -> Iterator[TrainingPair]:
        """Pairs without end or until the corpus is used up, a whole document's together."""
        ...


def all_pairs(
    source: str, document: str, variants: Sequence[Variant], random: np.random.Generator
) -> list[TrainingPair]:
    """Every pair of a document's variants, each turned round at random; equal texts count once.

    >>> variants = [Variant(text, "human") for text in ("a b", "a c", "a d", "a b")]
    >>> len(all_pairs("outputs", "1", variants, np.random.default_rng(0)))
    3
    """
    distinct = list({variant.text: variant for variant in reversed(variants) if variant.text.strip()}.values())[::-1]
    chosen = list(combinations(distinct, 2))
    turned = [pair if turn else pair[::-1] for pair, turn in zip(chosen, random.random(len(chosen)) < 0.5, strict=True)]
    return [paired(source, document, first, second) for first, second in turned]


def paired(source: str, document: str, candidate: Variant, reference: Variant) -> TrainingPair:
    """One pair with its provenance."""
    return TrainingPair(candidate.text, reference.text, source, candidate.generator, reference.generator, document)
