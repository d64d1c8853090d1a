"""Texts that belong together already: the outputs of several systems, several references, captions of one picture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

import numpy as np

from farthing.core.errors import InputError
from farthing.files.read import records
from farthing.learn.pairs.base import TrainingPair, Variant, all_pairs


class Outputs:
    """All pairs of each group of a JSONL or Parquet file: `{"id": …, "texts": {"system": "text", …}}`, or a list."""

    name: ClassVar[str] = "outputs"

    def __init__(
        self,
        *,
        file: Annotated[str, "the groups, one a row, in the column `texts`"],
        texts: Annotated[str, "the column with the texts of a group: a list, or an object by generator"] = "texts",
        variants: Annotated[int, "at most so many texts a group, drawn at random; 0 takes all"] = 0,
    ) -> None:
        self.file, self.column, self.most = file, texts, variants

    def pairs(self, random: np.random.Generator) -> Iterator[TrainingPair]:
        """The pairs of every group, groups in random order."""
        groups = [(record.get("id", number), self._group(number, record)) for number, record in records(self.file)]
        if not groups:
            raise InputError("no group of texts in it", path=self.file, remedy="give one group a row")
        for place in random.permutation(len(groups)):
            identity, variants = groups[place]
            order = random.permutation(len(variants))[: self.most or None]
            yield from all_pairs(self.name, str(identity), [variants[one] for one in sorted(order)], random)

    def _group(self, number: int, record: dict[str, Any]) -> list[Variant]:
        texts = record.get(self.column)
        named = list(texts.items()) if isinstance(texts, dict) else [("given", text) for text in texts or ()]
        named = [(generator, text) for generator, text in named if text is not None]
        if not isinstance(texts, dict | list) or not all(isinstance(text, str) for _, text in named):
            raise InputError(f"the column {self.column!r} is no list or object of texts", path=self.file, line=number)
        return [Variant(text, generator) for generator, text in named]
