"""Metrics of a set of texts by itself: no corpus, no encoder, only words."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from farthing.core.errors import InputError, UsageError
from farthing.core.metric import SetMetric
from farthing.core.signature import Signature
from farthing.core.specs import Value
from farthing.core.types import Note, Scores, Sets, TextsOrVectors
from farthing.metrics.sets.base import Verdict
from farthing.metrics.sets.samples import is_vectors


class TextSetMetric(SetMetric):
    """A metric that judges how the texts of one set differ from each other; it needs no corpus."""

    fewest: int = 1  #: how many texts with words there must be

    def score_sets(self, sets: Sets) -> Scores:
        """Judge the generated texts; a corpus, if there is one, is not looked at."""
        texts, empty = self._texts(sets.generated)
        verdict = self.judge(texts)
        notes = (Note("empty", "texts without a word are left out", tuple(empty)),) if empty else ()
        return Scores(
            corpus=verdict.corpus,
            segments=None,
            signature=Signature(self.info.name, self.fields()),
            parts=verdict.parts,
            notes=(*notes, *verdict.notes),
            system=sets.system,
        )

    def _texts(self, data: TextsOrVectors) -> tuple[list[list[str]], list[int]]:
        """Return the words of every text that has one, and the rows of those that have none."""
        name = self.info.name
        if is_vectors(data) or isinstance(data, str) or not all(isinstance(text, str) for text in data):
            raise UsageError(f"{name} counts words: give a list of texts")
        words = [self.words(str(text)) for text in data]
        full = [one for one in words if one]
        if len(full) < self.fewest:
            raise InputError(
                f"{name} needs at least {self.fewest} texts with words, but there are {len(full)}",
                remedy="give more texts",
            )
        return full, [row for row, one in enumerate(words) if not one]

    @abstractmethod
    def words(self, text: str) -> list[str]:
        """Cut a text into words."""

    @abstractmethod
    def judge(self, texts: Sequence[Sequence[str]]) -> Verdict:
        """Compute the score of texts, given by their words; none is empty."""

    @abstractmethod
    def fields(self) -> dict[str, Value]:
        """Return the options for the signature."""
