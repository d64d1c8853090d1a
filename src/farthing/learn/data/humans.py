"""Pairs that people judged: what students are fine-tuned on and finally measured against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from farthing.core.arrays import Indices, Segments
from farthing.core.errors import InputError
from farthing.core.types import Pairs
from farthing.learn.data.marks import CharacterSpan
from farthing.meta import coefficients


@dataclass(frozen=True, slots=True)
class Judged:
    """One data set: candidates, their references, people's scores, and the group (language pair …) of each.

    :param segments: what tells the segment of each pair, the group included; empty if it is not known
    :param wrong: the wrong parts of each candidate; empty if they are not known
    :param sources: what each candidate was made from; empty if it is not known
    """

    name: str
    candidates: list[str]
    references: list[list[str]]
    scores: Segments
    groups: list[str]
    segments: list[str] = field(default_factory=list)
    wrong: list[list[CharacterSpan] | None] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.candidates)

    @property
    def pairs(self) -> Pairs:
        """The texts as a metric reads them."""
        return Pairs(self.candidates, self.references, self.sources or None, system=self.name)

    def agreement(self, scores: Segments) -> float:
        """Return Pearson's correlation with people, averaged over the groups."""
        return grouped_pearson(self.scores, scores, self.groups)

    def taking(self, rows: Sequence[int] | Indices) -> Judged:
        """Return some of the pairs."""
        return Judged(
            self.name,
            [self.candidates[row] for row in rows],
            [self.references[row] for row in rows],
            self.scores[rows],
            [self.groups[row] for row in rows],
            [self.segments[row] for row in rows] if self.segments else [],
            [self.wrong[row] for row in rows] if self.wrong else [],
            [self.sources[row] for row in rows] if self.sources else [],
        )

    def flat(self) -> tuple[list[str], list[str], Segments]:
        """Return candidates, references and scores with one row per reference."""
        rows = [(row, text) for row, texts in enumerate(self.references) for text in texts]
        scores = self.scores[[row for row, _ in rows]]
        return [self.candidates[row] for row, _ in rows], [text for _, text in rows], scores

    def standardised(self) -> Segments:
        """Return the scores with mean 0 and deviation 1 within each group."""
        scores = self.scores.astype(np.float64)
        for rows in _members(self.groups).values():
            scores[rows] = (scores[rows] - scores[rows].mean()) / max(scores[rows].std(), 1e-9)
        return scores


def _members(groups: Sequence[str]) -> dict[str, list[int]]:
    """Return the rows of every group."""
    members: dict[str, list[int]] = {}
    for row, group in enumerate(groups):
        members.setdefault(group, []).append(row)
    return members


def grouped_pearson(human: Segments, scores: Segments, groups: Sequence[str]) -> float:
    """Average Pearson's correlation over the groups; a group in which one side is constant is left out.

    >>> grouped_pearson(np.array([1.0, 2, 3, 1, 2, 3]), np.array([1.0, 2, 3, 3, 2, 1]), list("aaabbb"))
    0.0
    """
    members = _members(groups).values()
    values = [float(coefficients.pearson(human[rows][None], scores[rows][None])[0]) for rows in members]
    defined = [value for value in values if np.isfinite(value)]
    if not defined:
        raise InputError("no group of judged pairs has scores that vary on both sides", remedy="give more pairs")
    return float(np.mean(defined))
