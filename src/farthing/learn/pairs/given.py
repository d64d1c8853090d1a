"""Pairs that a file holds already, in random order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar

import numpy as np

from farthing.core.columns import Columns, RowReader
from farthing.core.errors import InputError
from farthing.files.lines import lines
from farthing.files.read import records
from farthing.learn.pairs.base import TrainingPair, given_pair


class GivenPairs:
    """The pairs of a table as they are: every candidate with its first reference."""

    name: ClassVar[str] = "given"

    def __init__(
        self,
        *,
        file: Annotated[str, "a table with the columns `candidate` and `reference`"],
        least: Annotated[float | None, "only rows whose `score` is at least this"] = None,
        split: Annotated[str | None, "only rows of this split that share no text with another split"] = None,
    ) -> None:
        self.file, self.least, self.split = file, least, split

    def pairs(self, random: np.random.Generator) -> Iterator[TrainingPair]:
        """Yield every pair once."""
        rows = self.rows()
        for place in random.permutation(len(rows)):
            candidate, reference = rows[place]
            yield given_pair(self.name, str(place + 1), candidate, reference)

    def rows(self) -> list[tuple[str, str]]:
        """Read the candidates and references that are wanted, in the order of the file."""
        reader: RowReader | None = None
        rows: list[tuple[str, str]] = []
        barred: set[str] = set()
        for number, record in records(self.file):
            reader = reader or RowReader(self.file, Columns(), record)
            row = reader.row(number, record)
            if not row.references:
                raise InputError("the row has no reference", path=self.file, line=number)
            if self.split is not None and record.get("split") != self.split:
                barred.update((row.candidate, *row.references))
            elif self._is_high(record, number):
                rows.append((row.candidate, row.references[0]))
        return [pair for pair in rows if barred.isdisjoint(pair)]

    def _is_high(self, record: Mapping[str, object], number: int) -> bool:
        """Tell whether a row has the score that is wanted."""
        if self.least is None:
            return True
        score = record.get("score")
        if not isinstance(score, int | float):
            raise InputError("the row has no number in the column 'score'", path=self.file, line=number)
        return score >= self.least


class Paraphrases:
    """The last two columns of a table without a header: a sentence, and the same in other words."""

    name: ClassVar[str] = "paraphrases"

    def __init__(self, *, file: Annotated[str, "a tab-separated table without a header"]) -> None:
        self.file = file

    def pairs(self, random: np.random.Generator) -> Iterator[TrainingPair]:
        """Yield every pair once."""
        rows = [self._checked(number, line) for number, line in lines(self.file)]
        for place in random.permutation(len(rows)):
            yield given_pair(self.name, str(place + 1), *rows[place])

    def _checked(self, number: int, line: str) -> tuple[str, str]:
        cells = line.split("\t")
        if len(cells) < 2:
            raise InputError("the line has one column; two are needed", path=self.file, line=number)
        return cells[-2], cells[-1]
