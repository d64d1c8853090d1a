"""Noise without a model: a text against changed copies of itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

import numpy as np

from farthing.core.errors import UnknownName, UsageError
from farthing.learn.data.corpus import Document, read_corpus, shuffled
from farthing.learn.pairs.base import GeneratedText, TrainingPair, all_pairs
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
    """All pairs of a text and copies of it that went through a random number of random changes."""

    name: ClassVar[str] = "perturbation"

    def __init__(
        self,
        *,
        corpus: Annotated[str, "texts, one per line or row"],
        column: Annotated[str | int | None, "the column with the text"] = None,
        changes: Annotated[list[str] | None, f"which changes, of {', '.join(CHANGES)}"] = None,
        variants: Annotated[int, "changed copies of each text"] = 2,
        most_changes: Annotated[int, "most changes of a copy; how many is drawn, at least one"] = 4,
    ) -> None:
        self.changes = list(changes or USUAL)
        for change in self.changes:
            if change not in CHANGES:
                raise UnknownName("change", change, CHANGES)
        if variants < 1 or most_changes < 1:
            raise UsageError("perturbation: variants and most_changes must be at least 1")
        self.corpus, self.column, self.variants, self.most_changes = corpus, column, variants, most_changes

    def pairs(self, random: np.random.Generator) -> Iterator[TrainingPair]:
        """Yield all pairs of each text and its changed copies."""
        for document in shuffled(read_corpus(self.corpus, self.column, least=1), random):
            yield from all_pairs(self.name, document.name, self._variants(document, random), random)

    def _variants(self, document: Document, random: np.random.Generator) -> list[GeneratedText]:
        copies = [self._changed(document.text, random) for _ in range(self.variants)]
        return [GeneratedText(document.text, "given"), *copies]

    def _changed(self, text: str, random: np.random.Generator) -> GeneratedText:
        """Return a copy after some changes; a change that does not apply to the text is skipped."""
        applied: list[str] = []
        for _ in range(int(random.integers(1, self.most_changes + 1))):
            name = self.changes[int(random.integers(len(self.changes)))]
            changed = CHANGES[name](text, random)
            if changed is not None:
                text, applied = changed, [*applied, name]
        return GeneratedText(text, "+".join(applied) or "given")
