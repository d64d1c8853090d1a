"""Pairs drawn from parallel texts, without end: translations, and what a failed system says instead of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np

from farthing.core.errors import InputError, UsageError
from farthing.files.read import records
from farthing.learn.pairs.base import TrainingPair, two_of

Damage: TypeAlias = Literal["none", "copied", "left", "cut", "repeated", "exchanged", "unrelated", "language"]
OF_SOURCES = ("copied", "left")  # damage of outputs that are hardly more than their source
Change: TypeAlias = Callable[[list[str], np.random.Generator], list[str]]
FEW_WORDS = 4  # a text with fewer is cut into characters: it may be in a script without spaces


class ParallelTexts:
    """A text in one language against the same in another one (across), or in its own one, with one kind of damage."""

    name: ClassVar[str] = "parallel"

    def __init__(
        self,
        *,
        file: Annotated[str, "texts in several languages: rows with a table of language to text"],
        across: Annotated[bool, "the second text is in another language, as a source is"] = False,
        damage: Annotated[Damage, "what is wrong with the first text"] = "none",
        split: Annotated[str, "only rows with this value in the column split"] = "",
    ) -> None:
        if damage == "language" if across else damage in ("none", *OF_SOURCES):
            kind = "two languages" if across else "one language"
            raise UsageError(f"parallel: the damage {damage!r} is not for pairs of {kind}")
        self.file, self.across, self.damage, self.split, self.equal = file, across, damage, split, damage == "copied"

    def pairs(self, random: np.random.Generator) -> Iterator[TrainingPair]:
        """Draw a text, two of its languages, and the damage, again and again."""
        texts = _parallel_texts(self.file, self.split)
        while True:
            place, other = two_of(len(texts), random)
            names = sorted(texts[place])
            own, foreign = (names[number] for number in two_of(len(names), random))
            against = texts[place][foreign if self.across else own]
            if made := self._made(texts[place], texts[other], own, foreign, random):
                yield TrainingPair(made, against, self.name, self.damage, "given", str(place + 1))

    def _made(
        self, text: Mapping[str, str], other: Mapping[str, str], own: str, foreign: str, random: np.random.Generator
    ) -> str:
        """Make the first text of a pair: what a system says that ought to say the text in its own language."""
        if self.damage in CHANGES:
            return _changed(text[foreign if self.damage in OF_SOURCES else own], random, CHANGES[self.damage])
        if self.damage == "unrelated":
            return other.get(own, "")
        return text[own if self.damage == "none" else foreign]  # of a copied source or the wrong language


def _parallel_texts(file: str, split: str = "") -> list[dict[str, str]]:
    """Read every table of language to text that the rows hold, those with at least two languages."""
    rows = (record for _, record in records(file) if not split or record.get("split") == split)
    tables = [value for record in rows for value in record.values() if isinstance(value, Mapping)]
    texts = [{str(name): str(text) for name, text in table.items() if text} for table in tables]
    texts = [table for table in texts if len(table) > 1]
    if len(texts) < 2:
        raise InputError("too few parallel texts", path=file, remedy="give rows with a table of language to text")
    return texts


def _changed(text: str, random: np.random.Generator, change: Change) -> str:
    words = text.split()
    if len(words) < FEW_WORDS:
        return "".join(change(list(text), random))
    return " ".join(change(words, random))


def _cut(units: list[str], random: np.random.Generator) -> list[str]:
    """Keep the first fifth to seven tenths of the units."""
    return units[: max(1, int(len(units) * random.uniform(0.2, 0.7)))]


def _repeated(units: list[str], random: np.random.Generator) -> list[str]:
    """Say one unit four to ten times."""
    place = int(random.integers(len(units)))
    return units[:place] + units[place : place + 1] * int(random.integers(4, 11)) + units[place + 1 :]


def _left(units: list[str], random: np.random.Generator) -> list[str]:
    """Leave out one unit."""
    gone = int(random.integers(len(units)))
    return units[:gone] + units[gone + 1 :]


def _exchanged(units: list[str], random: np.random.Generator) -> list[str]:
    """Exchange two units that are not beside each other if there are such."""
    if len(units) < 3:
        return units[::-1]
    first = int(random.integers(len(units) - 2))
    second = int(random.integers(first + 2, len(units)))
    changed = list(units)
    changed[first], changed[second] = units[second], units[first]
    return changed


CHANGES: dict[str, Change] = {"cut": _cut, "repeated": _repeated, "left": _left, "exchanged": _exchanged}
