"""Pairs of an English text and a damaged copy of it, alone or beside a true paraphrase.

The kinds of damage are those of :data:`farthing.text.damage.DAMAGES`: numbers, negation, names, roles, agreement,
pronouns, additions, case, accents and spelling. The generator of a pair is the kind of its damage, so that a recipe can
give every kind a score of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, ClassVar

import numpy as np

from farthing.core.errors import UnknownName, UsageError
from farthing.learn.pairs.base import TrainingPair
from farthing.learn.pairs.given import GivenPairs
from farthing.learn.pairs.sentences import corpus_sentences
from farthing.text.damage import DAMAGES

PARAPHRASE = "paraphrase"  #: the generator of the pair in a segment that is not damaged


class DamagedSentences:
    """A sentence with one kind of damage, against itself."""

    name: ClassVar[str] = "damaged"

    def __init__(
        self,
        *,
        file: Annotated[str, "sentences, one per line; of a table its last column"],
        damage: Annotated[str | list[str] | None, f"which kinds, of {', '.join(DAMAGES)}; by default all"] = None,
    ) -> None:
        self.file, self.kinds = file, _checked_kinds(damage)

    def pairs(self, random: np.random.Generator) -> Iterator[TrainingPair]:
        """Draw a sentence and a kind of damage, again and again."""
        texts = corpus_sentences(self.file)
        while True:
            place = int(random.integers(len(texts)))
            kind = self.kinds[int(random.integers(len(self.kinds)))]
            damaged = DAMAGES[kind](texts[place], random)
            if damaged is not None:
                yield TrainingPair(damaged, texts[place], self.name, kind, "given", str(place + 1))


class Contrasts:
    """For one reference, a true paraphrase and several texts with one kind of damage each: together a segment.

    Both texts of a pair of paraphrases are references in turn.
    """

    name: ClassVar[str] = "contrasts"

    def __init__(
        self,
        *,
        file: Annotated[str, "a table of paraphrases with the columns `candidate` and `reference`"],
        least: Annotated[float | None, "only rows whose `score` is at least this are paraphrases"] = None,
        split: Annotated[str | None, "only rows of this split that share no text with another split"] = None,
        damage: Annotated[str | list[str] | None, f"which kinds, of {', '.join(DAMAGES)}; by default all"] = None,
        damaged: Annotated[int, "damaged texts per reference, each of another kind; fewer if fewer kinds apply"] = 4,
        paraphrased: Annotated[float, "share of the damaged texts that are made of the paraphrase"] = 0.0,
    ) -> None:
        if damaged < 1 or not 0 <= paraphrased <= 1:
            raise UsageError("contrasts: damaged must be at least 1, and paraphrased a share from 0 to 1")
        self.given = GivenPairs(file=file, least=least, split=split)
        self.kinds, self.damaged, self.paraphrased = _checked_kinds(damage), damaged, paraphrased

    def pairs(self, random: np.random.Generator) -> Iterator[TrainingPair]:
        """Yield every segment once, its pairs one after the other."""
        rows = self.given.rows()
        segments = [(place, turned) for place in range(len(rows)) for turned in (False, True)]
        for number in random.permutation(len(segments)):
            place, turned = segments[number]
            paraphrase, reference = rows[place][::-1] if turned else rows[place]
            document = f"{place + 1}{'r' if turned else ''}"
            yield TrainingPair(paraphrase, reference, self.name, PARAPHRASE, "given", document)
            for kind, text in self._damaged(paraphrase, reference, random):
                yield TrainingPair(text, reference, self.name, kind, "given", document)

    def _damaged(self, paraphrase: str, reference: str, random: np.random.Generator) -> list[tuple[str, str]]:
        """Return damaged texts with their kinds."""
        found: list[tuple[str, str]] = []
        for number in random.permutation(len(self.kinds)):
            kind = self.kinds[number]
            text = DAMAGES[kind](paraphrase if random.random() < self.paraphrased else reference, random)
            if text is not None and text not in (paraphrase, reference):
                found.append((kind, text))
            if len(found) == self.damaged:
                break
        return found


def _checked_kinds(damage: str | Sequence[str] | None) -> list[str]:
    kinds = [damage] if isinstance(damage, str) else list(damage or DAMAGES)
    for kind in kinds:
        if kind not in DAMAGES:
            raise UnknownName("damage", kind, DAMAGES)
    return kinds
