"""Passes over texts: a metric scores all of them, handed to it at once or a few at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from farthing.core.metric import Metric
from farthing.core.types import Pairs, Scores
from farthing.scoring.engine import Stretch, score_stretches


def spread_rows(count: int, wanted: int) -> list[int]:
    """Return at most so many row numbers, evenly spread over all rows.

    >>> spread_rows(10, 4)
    [0, 2, 5, 7]
    """
    return list(range(count)) if wanted >= count else [place * count // wanted for place in range(wanted)]


def some_pairs(pairs: Pairs, rows: Sequence[int]) -> Pairs:
    """Return some rows."""
    sources = None if pairs.sources is None else [pairs.sources[row] for row in rows]
    return Pairs([pairs.candidates[row] for row in rows], [pairs.references[row] for row in rows], sources)


def score_pass(metric: Metric, systems: Sequence[Pairs], batch: int | None = None) -> list[Scores]:
    """Score the same segments of one or more systems, through the flow that every door takes.

    :param batch: how many segments the metric is given at a time, in the order of the input; all if None
    """

    def stretches() -> Iterator[Stretch]:
        size = batch or len(systems[0])
        for begin in range(0, len(systems[0]), size):
            yield [pairs.part(begin, begin + size) for pairs in systems]

    return score_stretches([metric], stretches, keep_statistics=False)[0]
