"""What a metric is, and what more it may be able to do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from farthing.core.types import Alignment, MetricInfo, Pairs, Scores, Sets


@runtime_checkable
class Metric(Protocol):
    """Scores one system's pairs. Its options are the keyword arguments of its constructor."""

    @property
    def info(self) -> MetricInfo: ...

    def score(self, pairs: Pairs) -> Scores: ...


@runtime_checkable
class SetMetric(Protocol):
    """Scores a whole set of texts or vectors against another one."""

    @property
    def info(self) -> MetricInfo: ...

    def score_sets(self, sets: Sets) -> Scores: ...


@runtime_checkable
class Aggregates(Protocol):
    """The corpus score is a function of summed statistics, not the mean of the segments."""

    def aggregate(self, total: np.ndarray) -> float:
        """The corpus score that belongs to the sum of some rows' statistics."""
        ...


@runtime_checkable
class Prepares(Protocol):
    """Needs one look at the whole corpus (say, for idf weights) before it can score a stretch of it."""

    def prepared(self, stretches: Iterable[Pairs]) -> Metric:
        """A metric that knows the corpus; itself where it has nothing to learn."""
        ...


@runtime_checkable
class PreparesSystems(Protocol):
    """Needs one look at the whole corpus and every system's candidates."""

    def prepared_systems(self, stretches: Iterable[Sequence[Pairs]]) -> Metric:
        """A metric that knows all texts; itself where it has nothing to learn."""
        ...


@runtime_checkable
class Finishes(Protocol):
    """The scores of the rows depend on all rows (say, on their range), so they are made when all parts are there."""

    def finished(self, scores: Scores) -> Scores: ...


@runtime_checkable
class ScoresTogether(Protocol):
    """Can score several systems at once, doing once what they share (say, encoding the references)."""

    def score_together(self, systems: Sequence[Pairs]) -> list[Scores]: ...


@runtime_checkable
class Explains(Protocol):
    """Can show who matched whom."""

    def align(self, candidate: str, reference: str) -> Alignment: ...


AnyMetric = Any  # a Metric or a SetMetric, where the level is checked at run time
