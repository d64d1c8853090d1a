"""All pairs of texts that belong together: outputs of several systems, several references, captions of one picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar

import numpy as np

from farthing.core.errors import InputError
from farthing.files.read import records
from farthing.learn.pairs.base import GeneratedText, TrainingPair, all_pairs


class Outputs:
    """All pairs of each group of a JSONL or Parquet file: `{"id": …, "texts": {"system": "text", …}}`, or a list."""

    name: ClassVar[str] = "outputs"

    def __init__(
        self,
        *,
        file: Annotated[str, "groups of texts, one group per row"],
        texts: Annotated[str, "the column with the texts of a group: a list, or an object by generator"] = "texts",
        variants: Annotated[int, "most texts of a group, drawn at random; 0 takes all"] = 0,
    ) -> None:
        self.file, self.column, self.most = file, texts, variants

    def pairs(self, random: np.random.Generator) -> Iterator[TrainingPair]:
        """Yield the pairs of every group, groups in random order."""
        groups = [(record.get("id", number), self._group(number, record)) for number, record in records(self.file)]
        if not groups:
            raise InputError("there is no group of texts in it", path=self.file, remedy="give one group per row")
        for place in random.permutation(len(groups)):
            identity, texts = groups[place]
            order = random.permutation(len(texts))[: self.most or None]
            yield from all_pairs(self.name, str(identity), [texts[one] for one in sorted(order)], random)

    def _group(self, number: int, record: Mapping[str, object]) -> list[GeneratedText]:
        texts = record.get(self.column)
        if not isinstance(texts, dict | list):
            raise self._wrong(number)
        named = texts.items() if isinstance(texts, dict) else [("given", text) for text in texts]
        group = [GeneratedText(text, str(generator)) for generator, text in named if text is not None]
        if not all(isinstance(one.text, str) for one in group):
            raise self._wrong(number)
        return group

    def _wrong(self, line: int) -> InputError:
        problem = f"the column {self.column!r} is neither a list nor an object of texts"
        return InputError(problem, path=self.file, line=line)
