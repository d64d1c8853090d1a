"""A metric's scores of all judged outputs, computed or kept from before."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from farthing.core.errors import UsageError
from farthing.core.metric import Metric, SetMetric
from farthing.core.progress import Progress, silent
from farthing.core.registry import METRICS, load_pairs_metric
from farthing.core.specs import Spec
from farthing.core.types import Pairs
from farthing.files.inputs import Given
from farthing.meta.judgements import Grid, Judgements
from farthing.meta.store import Kept, ScoreStore
from farthing.scoring.score import Chosen, score


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """One metric over all judged outputs.

    :param values: one score a row, as the metric gives it
    :param statistics: one row of sufficient statistics a row, where the metric has them
    :param aggregate: from a sum of statistics to the score of the whole, where that is not the mean
    """

    name: str
    values: np.ndarray
    higher_is_better: bool = True
    signature: str = ""
    statistics: np.ndarray | None = None
    aggregate: Callable[[np.ndarray], float] | None = None
    whole: Mapping[tuple[str, str], float] = field(default_factory=dict)

    @property
    def oriented(self) -> np.ndarray:
        """The scores so that higher is better: the one place where a distance is turned."""
        return self.values if self.higher_is_better else -self.values

    def of_systems(self, grid: Grid) -> np.ndarray:
        """Each system's score as a whole, oriented: the metric's own where it has one, else the mean."""
        sign = 1.0 if self.higher_is_better else -1.0
        return np.array([sign * self._of_system(grid, place) for place in range(len(grid.systems))])

    def _of_system(self, grid: Grid, place: int) -> float:
        key = (grid.group, grid.systems[place])
        if key in self.whole:
            return self.whole[key]
        rows = grid.rows[place][grid.rows[place] >= 0]
        if self.aggregate is not None and self.statistics is not None:
            return self.aggregate(self.statistics[rows].sum(axis=0))
        return float(self.values[rows].mean())


def score_judgements(judgements: Judgements, spec: Spec, store: ScoreStore, progress: Progress = silent) -> Scored:
    """Score all outputs with a metric, group by group: a group is one corpus, as in a shared task."""
    kind = METRICS.get(spec.name)
    if issubclass(kind, SetMetric):
        raise UsageError(f"{spec.name} judges a set, not outputs: it has no score that people's could be compared with")
    metric: Metric | None = None
    values, statistics = np.full(len(judgements), np.nan), None
    signature = ""
    for grid in judgements.grids():
        texts, rows = _corpus(judgements, grid)
        kept = store.get(spec, texts)
        if kept is None:
            metric = metric or load_pairs_metric(spec)
            kept = _compute(metric, spec, texts, progress)
            store.put(spec, texts, kept)
        else:
            progress(len(rows))
        values[rows], signature = kept.segments, kept.signature
        if kept.statistics is not None:
            statistics = np.zeros((len(judgements), kept.statistics.shape[1])) if statistics is None else statistics
            statistics[rows] = kept.statistics
    aggregate = _aggregate(spec) if statistics is not None else None
    return Scored(str(spec), values, kind.about.higher_is_better, signature, statistics, aggregate)


def _aggregate(spec: Spec) -> Callable[[np.ndarray], float] | None:
    """How the metric scores a sum of statistics; it is loaded when somebody asks."""
    load = lru_cache(maxsize=1)(lambda: load_pairs_metric(spec))
    return lambda total: float(load().aggregate(total))


def _corpus(judgements: Judgements, grid: Grid) -> tuple[list[Pairs], np.ndarray]:
    """A group's texts, one `Pairs` a system where all have the same items, else all in one."""
    split = list(grid.rows) if grid.complete else [grid.rows[grid.rows >= 0]]
    return [judgements.taking(rows.tolist()).texts for rows in split], np.concatenate(split)


def _compute(metric: Metric, spec: Spec, texts: Sequence[Pairs], progress: Progress) -> Kept:
    compared = score([Chosen(str(spec), metric)], Given(texts), keep_statistics=True)
    progress(sum(map(len, texts)))
    found = [row.cells[0].scores for row in compared.rows]
    segments = np.concatenate([np.asarray(scores.segments, dtype=float) for scores in found])
    statistics = [scores.statistics for scores in found if scores.statistics is not None]
    whole = np.concatenate(statistics) if len(statistics) == len(found) else None
    return Kept(segments, whole, str(found[0].signature))
