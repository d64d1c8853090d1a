"""What a student learns from: pairs with targets, from people or from a teacher."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from farthing.core.arrays import Segments, Weights
from farthing.learn.data.humans import Judged
from farthing.learn.data.marks import CharacterSpan

#: What learns from some pairs: all of a judge, only its cap of texts with a wrong word, or only its tokens.
Teaches: TypeAlias = Literal["all", "edits", "tokens"]


@dataclass(frozen=True, slots=True)
class Examples:
    """Pairs with targets and the weights of their errors.

    :param references: what the candidates are compared with; for a student without references, the sources
    :param segments: the segment of each pair, if only the differences between the pairs of one segment are learned
    :param wrong: the wrong parts of each candidate, None if they are not known
    :param teaches: what learns from them
    """

    candidates: list[str]
    references: list[str]
    targets: Segments
    weights: Weights
    segments: list[str] | None = None
    wrong: list[list[CharacterSpan] | None] | None = None
    teaches: Teaches = "all"

    def __len__(self) -> int:
        return len(self.candidates)

    @classmethod
    def joined(cls, parts: Sequence[Examples]) -> Examples:
        """Put several sets without segments together."""
        return cls(
            [text for part in parts for text in part.candidates],
            [text for part in parts for text in part.references],
            np.concatenate([part.targets for part in parts]),
            np.concatenate([part.weights for part in parts]),
            wrong=[one for part in parts for one in part.wrong or [None] * len(part)]
            if any(part.wrong for part in parts)
            else None,
        )

    @classmethod
    def judged(
        cls,
        data: Judged,
        *,
        count: int | None = None,
        weight: float = 1.0,
        seed: int = 1,
        clip: float | None = None,
        within: bool = False,
    ) -> Examples:
        """Take judged pairs with their first references; the targets have mean 0 and deviation 1 in each group.

        :param count: draw so many pairs, or so many segments if only differences within them count; the scores are
            standardised after the draw
        :param clip: targets are at most so many deviations from the mean
        :param within: learn only the differences between the pairs of one segment
        """
        units = data.segments if within else list(map(str, range(len(data))))
        names = list(dict.fromkeys(units))
        if count is not None and count < len(names):
            drawn = {names[place] for place in np.random.default_rng(seed).choice(len(names), count, replace=False)}
            data = data.taking([row for row, unit in enumerate(units) if unit in drawn])
        references = [texts[0] for texts in data.references]
        targets = data.standardised()
        if clip is not None:
            targets = np.clip(targets, -clip, clip)
        segments, wrong = data.segments if within else None, data.wrong or None
        return cls(data.candidates, references, targets, np.full(len(data), weight), segments, wrong)
