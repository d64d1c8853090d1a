"""Pairs drawn from texts that several authors wrote for one item: outputs of systems, captions of a picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Annotated, ClassVar, TypeAlias

import numpy as np

from farthing.core.errors import InputError, UsageError
from farthing.files.read import records
from farthing.learn.pairs.base import TrainingPair, given_pair, two_of

TestSet: TypeAlias = "tuple[list[str], dict[str, list[str]]]"  #: references, and outputs by system
BETWEEN = 0.25  # share of the pairs that are two outputs, not an output and its reference


class Systems:
    """Outputs of real systems against the reference, and now and then against each other."""

    name: ClassVar[str] = "systems"

    def __init__(
        self,
        *,
        file: Annotated[str, "whole test sets, one per row: `reference` (a list) and `systems` (name to outputs)"],
        languages: Annotated[str, "take the test sets whose `lp` fits this pattern, such as *-en"] = "*",
        each: Annotated[int, "outputs per drawn segment; if there are fewer systems, fewer"] = 1,
    ) -> None:
        if each < 1:
            raise UsageError(f"{self.name}: each must be at least 1")
        self.file, self.languages, self.each = file, languages, each

    def pairs(self, random: np.random.Generator) -> Iterator[TrainingPair]:
        """Draw a test set, a segment and some systems, again and again."""
        sets = self.sets()
        while True:
            number = int(random.integers(len(sets)))
            references, outputs = sets[number]
            place = int(random.integers(len(references)))
            names = sorted(outputs)
            *first, last = (names[drawn] for drawn in self._chosen(len(names), random))
            reference, author = references[place], "reference"
            if random.random() < BETWEEN:
                reference, author = outputs[last][place], last
            document = f"{number + 1}:{place + 1}"
            for one in first:
                yield TrainingPair(outputs[one][place], reference, self.name, one, author, document)

    def _chosen(self, systems: int, random: np.random.Generator) -> Iterable[int]:
        """Choose systems whose outputs are judged, and one more, whose output may be what they are compared with."""
        return two_of(systems, random) if self.each == 1 else random.permutation(systems)[: self.each + 1].tolist()

    def sets(self) -> list[TestSet]:
        """Read the test sets."""
        fitting = ((n, one) for n, one in records(self.file) if fnmatchcase(str(one.get("lp", "")), self.languages))
        sets = [self._checked(number, record) for number, record in fitting]
        if not sets:
            raise InputError("there is no test set in it", path=self.file, remedy="give one per row")
        return sets

    def _checked(self, line: int, record: Mapping[str, object]) -> TestSet:
        """Return the references and the outputs by system, or raise a sentence that names the line."""
        references, systems = record.get("reference"), record.get("systems")
        if not isinstance(references, list) or not isinstance(systems, dict) or len(systems) < 2:
            raise InputError(
                "is not a test set: it needs a list `reference` and at least two `systems`", path=self.file, line=line
            )
        outputs = {name: one["output"] if isinstance(one, dict) else one for name, one in systems.items()}
        for name, texts in outputs.items():
            if len(texts) != len(references):
                raise InputError(
                    f"{name} has {len(texts)} outputs for {len(references)} references", path=self.file, line=line
                )
        return references, outputs


class Captions:
    """Two descriptions of one picture."""

    name: ClassVar[str] = "captions"

    def __init__(
        self,
        *,
        file: Annotated[str, "pictures, one per row, with the texts in the column `captions`"],
    ) -> None:
        self.file = file

    def pairs(self, random: np.random.Generator) -> Iterator[TrainingPair]:
        """Draw a picture and two of its captions, again and again."""
        rows = [self._checked(number, record) for number, record in records(self.file)]
        if not rows:
            raise InputError("there is no picture in it", path=self.file, remedy="give one per row")
        while True:
            number = int(random.integers(len(rows)))
            first, second = two_of(len(rows[number]), random)
            yield given_pair(self.name, str(number + 1), rows[number][first], rows[number][second])

    def _checked(self, line: int, record: Mapping[str, object]) -> list[str]:
        captions = record.get("captions")
        if not isinstance(captions, list) or len(captions) < 2 or not all(isinstance(one, str) for one in captions):
            raise InputError("the column 'captions' is not a list of at least two texts", path=self.file, line=line)
        return captions
