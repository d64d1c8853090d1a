"""What a student learns from: pairs with targets, from people or from a teacher."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from farthing.core.arrays import Segments, Weights
from farthing.learn.data.humans import Judged


@dataclass(frozen=True, slots=True)
class Examples:
    """Pairs with targets and the weights of their errors."""

    candidates: list[str]
    references: list[str]
    targets: Segments
    weights: Weights

    def __len__(self) -> int:
        return len(self.candidates)

    @classmethod
    def joined(cls, parts: Sequence[Examples]) -> Examples:
        """Put several sets together."""
        return cls(
            [text for part in parts for text in part.candidates],
            [text for part in parts for text in part.references],
            np.concatenate([part.targets for part in parts]),
            np.concatenate([part.weights for part in parts]),
        )

    @classmethod
    def judged(cls, data: Judged, *, count: int | None = None, weight: float = 1.0, seed: int = 1) -> Examples:
        """Take judged pairs with their first references; the targets have mean 0 and deviation 1 in each group.

        :param count: draw so many pairs; the scores are standardised after the draw
        """
        if count is not None and count < len(data):
            random = np.random.default_rng(seed)
            data = data.taking(sorted(random.choice(len(data), count, replace=False)))
        references = [texts[0] for texts in data.references]
        return cls(data.candidates, references, data.standardised(), np.full(len(data), weight))
