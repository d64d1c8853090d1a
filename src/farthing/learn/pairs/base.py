"""What a source of training pairs is: groups of texts that mean more or less the same, and the pairs of each group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol, TypeAlias

import numpy as np

TextPair: TypeAlias = tuple[str, str]  #: a candidate and its reference


@dataclass(frozen=True, slots=True)
class GeneratedText:
    """A text and what made it: "human", "lead", a model's name …"""

    text: str
    generator: str


@dataclass(frozen=True, slots=True)
class TrainingPair:
    """Two more or less related texts, with where they come from.

    :param told: the same two texts in a language that the teachers read, if they are asked about these instead
    """

    candidate: str
    reference: str
    source: str
    generator: str
    reference_generator: str
    document: str
    told: TextPair | None = None


class PairSource(Protocol):
    """Makes pairs. Its options are the keyword arguments of its constructor, as a recipe gives them."""

    name: str

    def pairs(self, random: np.random.Generator) -> Iterator[TrainingPair]:
        """Yield pairs, without end or until the input is used up; those of one document follow each other."""
        ...


def all_pairs(
    source: str, document: str, texts: Sequence[GeneratedText], random: np.random.Generator
) -> list[TrainingPair]:
    """Return every pair of a document's texts, each in a random direction; equal texts count once.

    >>> texts = [GeneratedText(text, "human") for text in ("a b", "a c", "a d", "a b")]
    >>> len(all_pairs("outputs", "1", texts, np.random.default_rng(0)))
    3
    """
    distinct = list({one.text: one for one in reversed(texts) if one.text.strip()}.values())[::-1]
    pairs = list(combinations(distinct, 2))
    turned = [pair if turn else pair[::-1] for pair, turn in zip(pairs, random.random(len(pairs)) < 0.5, strict=True)]
    return [training_pair(source, document, first, second) for first, second in turned]


def training_pair(source: str, document: str, candidate: GeneratedText, reference: GeneratedText) -> TrainingPair:
    """Put two texts together with their provenance."""
    return TrainingPair(candidate.text, reference.text, source, candidate.generator, reference.generator, document)


def given_pair(source: str, document: str, candidate: str, reference: str) -> TrainingPair:
    """Put two texts together that a file holds as they are."""
    return TrainingPair(candidate, reference, source, "given", "given", document)


def two_of(count: int, random: np.random.Generator) -> tuple[int, int]:
    """Draw two different places of `count`."""
    first, second = random.choice(count, 2, replace=False)
    return int(first), int(second)
