"""Pairs in many languages that teachers judge by the same pair in the language that they read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Annotated, ClassVar, TypeAlias

import numpy as np

from farthing.core.errors import InputError
from farthing.files.read import records
from farthing.learn.pairs.base import TrainingPair, two_of

Translations: TypeAlias = Mapping[str, str]  #: one text by the language that it is written in


class TranslatedPairs:
    """Two texts of one row in one language. What teachers say of them in another language holds for all languages."""

    name: ClassVar[str] = "translated"

    def __init__(
        self,
        *,
        file: Annotated[str, "rows with several tables of language to text; an empty table is that of the row before"],
        read: Annotated[str, "the language that the teachers read"] = "en",
    ) -> None:
        self.file, self.read = file, read

    def pairs(self, random: np.random.Generator) -> Iterator[TrainingPair]:
        """Draw two texts of a row, their order, and one of their other languages, again and again."""
        texts = self.rows()
        while True:
            place = int(random.integers(len(texts)))
            first, second = (texts[place][side] for side in two_of(2, random))
            languages = sorted(first.keys() & second.keys() - {self.read})
            own = languages[int(random.integers(len(languages)))]
            told = first[self.read], second[self.read]
            yield TrainingPair(first[own], second[own], self.name, own, own, str(place + 1), told)

    def rows(self) -> list[tuple[Translations, Translations]]:
        """Read all pairs of texts that have the teachers' language and another one in common."""
        last: dict[str, Translations] = {}
        found: list[tuple[Translations, Translations]] = []
        for _, record in records(self.file):
            here = {name for name, value in record.items() if isinstance(value, Mapping) or name in last}
            last |= {name: _texts(value) for name, value in record.items() if isinstance(value, Mapping)}
            found += [
                (last[one], last[other])
                for one, other in combinations(sorted(here), 2)
                if self.read in (shared := last[one].keys() & last[other].keys()) and len(shared) > 1
            ]
        if not found:
            raise InputError(
                f"no row has two texts in {self.read!r} and in another language",
                path=self.file,
                remedy="give rows with two tables of language to text",
            )
        return found


def _texts(table: Mapping[object, object]) -> Translations:
    return {str(name): str(text) for name, text in table.items() if text}
