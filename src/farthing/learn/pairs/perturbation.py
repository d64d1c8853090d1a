"""Model-free noise, for machines that have no model at all: a text against changed copies of itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

import numpy as np

from farthing.core.errors import UnknownName, UsageError
from farthing.learn.data.corpus import Document, read_corpus, shuffled
from farthing.learn.pairs.base import TrainingPair, Variant, all_pairs
from farthing.text.perturb import (
    Perturbation,
    change_number,
    drop_words,
    misspell,
    negate,
    repeat_words,
    shuffle_words,
    swap_neighbours,
    synonym,
)

CHANGES: dict[str, Perturbation] = {
    "drop": drop_words,
    "swap": swap_neighbours,
    "repeat": repeat_words,
    "typo": misspell,
    "number": change_number,
    "negation": negate,
    "synonym": synonym,
    "shuffle": shuffle_words,
}
USUAL = ["drop", "swap", "repeat", "typo", "number", "negation", "synonym"]


class PerturbedPairs:
    """Each text with copies that went through a random number of random changes, and the copies with each other."""

    name: ClassVar[str] = "perturbation"

    def __init__(
        self,
        *,
        corpus: Annotated[str, "texts, one a line or a row"],
        column: Annotated[str | int | None, "the column with the text"] = None,
        changes: Annotated[list[str] | None, f"which changes, of {', '.join(CHANGES)}"] = None,
        variants: Annotated[int, "changed copies a text"] = 2,
        depth: Annotated[int, "a copy goes through 1 to so many changes"] = 4,
    ) -> None:
        self.changes = list(changes or USUAL)
        for change in self.changes:
            if change not in CHANGES:
                raise UnknownName("change", change, CHANGES)
        if variants < 1 or depth < 1:
            raise UsageError("perturbation: variants and depth must be at least 1")
        self.corpus, self.column, self.variants, self.depth = corpus, column, variants, depth

    def pairs(self, random: np.random.Generator) -> Iterator[TrainingPair]:
        """All pairs of each text and its changed copies."""
        for document in shuffled(read_corpus(self.corpus, self.column, least=1), random):
            yield from all_pairs(self.name, document.name, self._variants(document, random), random)

    def _variants(self, document: Document, random: np.random.Generator) -> list[Variant]:
        return [Variant(document.text, "given"), *(self._changed(document.text, random) for _ in range(self.variants))]

    def _changed(self, text: str, random: np.random.Generator) -> Variant:
        """A copy after some changes; one that finds nothing to change leaves the text as it is."""
        applied: list[str] = []
        for _ in range(int(random.integers(1, self.depth + 1))):
            name = self.changes[int(random.integers(len(self.changes)))]
            changed = CHANGES[name](text, random)
            if changed is not None:
                text, applied = changed, [*applied, name]
        return Variant(text, "+".join(applied) or "given")
