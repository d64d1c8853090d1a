"""Judges that learn together over one transformer, each from examples of its own; and how these form batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch

from farthing.learn.data.examples import Examples
from farthing.learn.data.lengths import bucketed
from farthing.learn.match.model import Judge, Judgement

LEAST_OUTPUTS = 3  # of a segment; the differences of fewer say too little for a batch
MOST_OUTPUTS = 10  # of a segment in one batch


class Panel(torch.nn.Module):
    """Judges by name. What they share belongs to the first of them."""

    def __init__(self, judges: Mapping[str, Judge]) -> None:
        super().__init__()
        self.judges = torch.nn.ModuleDict(judges)

    def judge(self, name: str) -> Judge:
        """Return one of the judges."""
        found = self.judges[name]
        assert isinstance(found, Judge)
        return found

    def forward(self, name: str, *pairs: object) -> Judgement:
        """Let one of them judge a batch of pairs."""
        judgement: Judgement = self.judges[name](*pairs)
        return judgement


class Assignment(NamedTuple):
    """Examples, and the judge that learns from them."""

    judge: str
    examples: Examples


def mixed_batches(
    lengths: Sequence[Sequence[int]],
    segments: Sequence[Sequence[str] | None],
    size: int,
    seed: int,
    epoch: int,
    owners: Sequence[np.ndarray] | None = None,
) -> list[list[int]]:
    """Put the rows of several parts into batches; no batch has rows of two parts, and the parts take turns at random.

    Rows of a part without segments share a batch with rows of about the same length. Of a part with segments, the rows
    of each segment are a batch. Rows are counted over all parts.

    :param owners: of every part, one number per row; rows of one owner share a batch

    >>> mixed_batches([[5, 5, 5], [7, 7, 7]], [None, ["a", "a", "a"]], 3, seed=1, epoch=0)
    [[0, 1, 2], [5, 3, 4]]
    """
    random = np.random.default_rng([seed, epoch, 1])
    batches: list[list[int]] = []
    first = 0
    for part, (own, names) in enumerate(zip(lengths, segments, strict=True)):
        if names is None:
            rows = bucketed(own, size, seed, epoch, owners[part] if owners else None)
            batches += [[first + row for row in rows[at : at + size]] for at in range(0, len(rows), size)]
        else:
            batches += [[first + row for row in rows] for rows in _by_segment(names, random)]
        first += len(own)
    if len(lengths) > 1:
        batches = [batches[place] for place in random.permutation(len(batches))]
    return batches


def _by_segment(names: Sequence[str], random: np.random.Generator) -> list[list[int]]:
    members: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        members.setdefault(name, []).append(row)
    large = [rows for rows in members.values() if len(rows) >= LEAST_OUTPUTS]
    return [[int(row) for row in random.permutation(rows)[:MOST_OUTPUTS]] for rows in large]
