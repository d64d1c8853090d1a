"""From the probabilities of tokens to the marked words of two texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from farthing.core.arrays import Floats
from farthing.core.explanation import NOT_LEARNED, Explanation, Mark
from farthing.core.types import Need, Note
from farthing.encoders.backends.token_texts import Tokens
from farthing.students.marks import LearnedMarks, error_probabilities
from farthing.text.places import ComposedText


@dataclass(frozen=True, slots=True)
class Marker:
    """Marks the words of texts that were read.

    :param spans: tells where the tokens of a text are
    :param tokens: the tokens of each text in the form NFC, None for a text without any
    :param head: what has learned marks; None if nothing has
    """

    spans: Callable[[str], list[tuple[int, int]]]
    tokens: Mapping[str, Tokens | None]
    head: LearnedMarks | None
    against: Need = "reference"

    def __call__(
        self, candidate: str, references: Sequence[str], counted: int, notes: Sequence[Note] = ()
    ) -> Explanation:
        """Explain a candidate by one of its references, or by its source."""
        first, second = ComposedText.of(candidate), ComposedText.of(references[counted])
        return Explanation(
            candidate=candidate,
            reference=references[counted],
            errors=self._marks(first, second),
            omissions=self._marks(second, first),
            counted=counted if self.against == "reference" else None,
            notes=(*(replace(note, rows=()) for note in notes), *(() if self.head else (NOT_LEARNED,))),
        )

    def _marks(self, text: ComposedText, correct: ComposedText) -> list[Mark]:
        own = self.tokens[text.text]
        if own is None:
            return []
        probabilities = self._probabilities(own, self.tokens[correct.text])
        return text.marks(self.spans(text.text)[: len(probabilities)], probabilities)

    def _probabilities(self, text: Tokens, correct: Tokens | None) -> Floats:
        if correct is None:
            return np.ones(len(text.vectors))  # nothing of the one text is in the other
        return error_probabilities(text, correct, self.head)
