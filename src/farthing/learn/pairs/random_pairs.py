"""Pairs of unrelated texts. The paper found that they hurt: they are used only if a recipe asks for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

import numpy as np

from farthing.learn.data.corpus import read_corpus, shuffled
from farthing.learn.pairs.base import TrainingPair, given_pair


class RandomPairs:
    """Each text of a corpus with another one, drawn without replacement."""

    name: ClassVar[str] = "random"

    def __init__(
        self,
        *,
        corpus: Annotated[str, "texts, one per line or row"],
        column: Annotated[str | int | None, "the column with the text"] = None,
    ) -> None:
        self.corpus, self.column = corpus, column

    def pairs(self, random: np.random.Generator) -> Iterator[TrainingPair]:
        """Yield neighbours in a random order of the corpus."""
        documents = shuffled(read_corpus(self.corpus, self.column), random)
        for first, second in zip(documents[::2], documents[1::2], strict=False):
            if first.text != second.text:
                name = f"{first.name}+{second.name.rpartition(':')[2]}"
                yield given_pair(self.name, name, first.text, second.text)
