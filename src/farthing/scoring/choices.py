"""What was chosen among the candidates of each segment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypedDict

import numpy as np

from farthing.core.arrays import Segments
from farthing.core.signature import Signature
from farthing.core.types import Note


class RankedRecord(TypedDict):
    """A candidate and its score as plain Python values."""

    text: str
    score: float
    place: int


class ChoiceRecord(TypedDict):
    """The choice for one segment as plain Python values."""

    id: str | None
    text: str
    score: float
    place: int
    ranking: list[RankedRecord]


@dataclass(frozen=True, slots=True)
class Choice:
    """The best candidates for one segment, best first.

    :param texts: different texts, at most as many as were asked for
    :param scores: their scores
    :param places: the place of each text in the list of candidates, from 0; the first one if it is there twice
    """

    texts: tuple[str, ...]
    scores: tuple[float, ...]
    places: tuple[int, ...]
    id: str | None = None

    @property
    def text(self) -> str:
        """The best candidate."""
        return self.texts[0]

    @property
    def score(self) -> float:
        """The score of the best candidate."""
        return self.scores[0]

    def to_dict(self) -> ChoiceRecord:
        """Return plain Python values."""
        rows = zip(self.texts, self.scores, self.places, strict=True)
        ranking: list[RankedRecord] = [{"text": text, "score": score, "place": place} for text, score, place in rows]
        return {"id": self.id, **ranking[0], "ranking": ranking}


@dataclass(frozen=True, slots=True)
class Choices:
    """One choice per segment; `choices[i]`, `len(choices)` and a loop over it work as with a list.

    :param signature: everything that must be equal for the scores to be equal
    :param notes: what the reader should know; their rows are segments
    """

    rows: tuple[Choice, ...]
    signature: Signature
    notes: tuple[Note, ...] = ()

    def __getitem__(self, place: int) -> Choice:
        return self.rows[place]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Choice]:
        return iter(self.rows)

    @property
    def texts(self) -> list[str]:
        """The best candidate of every segment."""
        return [row.text for row in self.rows]

    @property
    def scores(self) -> Segments:
        """The score of every best candidate."""
        return np.array([row.score for row in self.rows])

    def to_dict(self) -> list[ChoiceRecord]:
        """Return plain Python values, one record per segment."""
        return [row.to_dict() for row in self.rows]

    def __repr__(self) -> str:
        return f"<Choices {self.signature.metric}, {len(self.rows)} segments>"
