"""Pairs that people judged: what phase 3 learns from, and what a student is finally measured against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from farthing.core.errors import InputError
from farthing.core.types import Pairs
from farthing.meta import coefficients
from farthing.meta.read.formats import read_judgements
from farthing.meta.read.human import HumanColumns


@dataclass(frozen=True, slots=True)
class Judged:
    """One data set: candidates, their references, people's scores, and the group (language pair …) of each."""

    name: str
    candidates: list[str]
    references: list[list[str]]
    scores: np.ndarray
    groups: list[str]

    def __len__(self) -> int:
        return len(self.candidates)

    @property
    def pairs(self) -> Pairs:
        """The texts as a metric reads them."""
        return Pairs(self.candidates, self.references, system=self.name)

    def agreement(self, scores: np.ndarray) -> float:
        """Pearson with people, averaged over the groups."""
        return grouped_pearson(self.scores, scores, self.groups)

    def taking(self, rows: Sequence[int] | np.ndarray) -> Judged:
        """Some of the pairs."""
        return Judged(
            self.name,
            [self.candidates[row] for row in rows],
            [self.references[row] for row in rows],
            self.scores[rows],
            [self.groups[row] for row in rows],
        )

    def flat(self) -> tuple[list[str], list[str], np.ndarray]:
        """One row a reference: candidates, references and scores."""
        rows = [(row, text) for row, texts in enumerate(self.references) for text in texts]
        scores = self.scores[[row for row, _ in rows]]
        return [self.candidates[row] for row, _ in rows], [text for _, text in rows], scores


def read_judged(path: str, column: str | None = None, only: str | None = None) -> Judged:
    """Judged pairs from a table; rows without a score or a reference are left out.

    :param column: which human score, by default the first
    :param only: keep the groups whose name ends so, such as "-en"
    """
    table = read_judgements(path, HumanColumns(scores=(column,) if column else ()))
    scores = table.judged()
    kept = [
        row
        for row in range(len(table))
        if np.isfinite(scores[row]) and table.texts.references[row] and table.groups[row].endswith(only or "")
    ]
    if len(kept) < 3:
        raise InputError(f"{len(kept)} judged pairs are too few", path=path, remedy="give at least three")
    chosen = table.taking(kept)
    found = Judged(
        Path(path).name.partition(".")[0],
        list(chosen.texts.candidates),
        [list(texts) for texts in chosen.texts.references],
        chosen.judged(),
        list(chosen.groups),
    )
    if np.ptp(found.scores) < 1e-9:
        raise InputError(f"all human scores are the same ({found.scores[0]:g})", path=path, remedy="choose a column")
    return found


def grouped_pearson(human: np.ndarray, scores: np.ndarray, groups: Sequence[str]) -> float:
    """Pearson within each group, averaged; groups in which something is constant are left out.

    >>> grouped_pearson(np.array([1.0, 2, 3, 1, 2, 3]), np.array([1.0, 2, 3, 3, 2, 1]), list("aaabbb"))
    0.0
    """
    members = {group: [row for row, other in enumerate(groups) if other == group] for group in dict.fromkeys(groups)}
    found = [float(coefficients.pearson(human[rows][None], scores[rows][None])[0]) for rows in members.values()]
    known = [value for value in found if np.isfinite(value)]
    if not known:
        raise InputError("no group of judged pairs has scores that vary on both sides", remedy="give more pairs")
    return float(np.mean(known))
