"""A metric's scores of all judged outputs, computed or kept from before."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from farthing.core.errors import UsageError
from farthing.core.metric import SetMetric
from farthing.core.progress import Progress, silent
from farthing.core.registry import METRICS
from farthing.core.specs import Spec
from farthing.core.types import Pairs
from farthing.meta.judgements import Grid, Judgements
from farthing.meta.kept import ScoreStore


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """One metric over all judged outputs.

    :param values: one score per output, as the metric gives it
    :param signature: one line, or several if the groups were not all scored alike
    :param statistics: one row of sufficient statistics per output, if the metric has them
    :param aggregate: turns a sum of statistics into the score of the whole, if that is not the mean
    :param whole: scores of whole systems by group and system, if they were made elsewhere
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
        """The scores so that higher is better: the one place that turns a distance."""
        return self.values if self.higher_is_better else -self.values

    @property
    def only_whole(self) -> bool:
        """True if there are scores of whole systems, but none of outputs."""
        return bool(self.whole) and bool(np.isnan(self.values).all())

    def of_systems(self, grid: Grid) -> np.ndarray:
        """Return each system's score as a whole, oriented: the metric's own if it has one, else the mean."""
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


def check_outputs(metrics: Sequence[Scored], purpose: str) -> None:
    """Refuse metrics that have scores of whole systems only.

    :param purpose: what needs scores of outputs, such as "hybrids need"
    """
    for metric in metrics:
        if metric.only_whole:
            raise UsageError(f"{metric.name} has scores of whole systems only: {purpose} a score of every output")


def score_judgements(judgements: Judgements, spec: Spec, store: ScoreStore, progress: Progress = silent) -> Scored:
    """Score all outputs with a metric, group by group: a group is one corpus, as in a shared task."""
    if issubclass(METRICS.get(spec.name), SetMetric):
        raise UsageError(f"{spec.name} judges a set, not outputs: it has no score that people's could be compared with")
    metric = store.of(spec)
    values, statistics = np.full(len(judgements), np.nan), None
    signatures: list[str] = []
    for grid in judgements.grids():
        corpus, rows = _corpus(judgements, grid)
        kept = metric.scores(corpus, progress)
        values[rows] = kept.segments
        signatures.append(kept.signature)
        if kept.statistics is not None:
            statistics = np.zeros((len(judgements), kept.statistics.shape[1])) if statistics is None else statistics
            statistics[rows] = kept.statistics
    aggregate = None if statistics is None else lambda total: float(metric.metric.aggregate(total))
    return Scored(str(spec), values, kept.higher_is_better, _one_per_line(signatures), statistics, aggregate)


def _one_per_line(signatures: Sequence[str]) -> str:
    """Return the different signatures of a metric: a group in another language may be scored by another model."""
    return "\n".join(dict.fromkeys(signatures))


def _corpus(judgements: Judgements, grid: Grid) -> tuple[list[Pairs], np.ndarray]:
    """Return a group's texts, one `Pairs` per system if all have the same items, else all in one; and their rows."""
    if grid.complete:
        parts = dict(zip(grid.systems, grid.rows, strict=True))
    else:
        parts = {grid.group: grid.rows[grid.rows >= 0]}
    corpus = [replace(judgements.taking(rows.tolist()).texts, system=name) for name, rows in parts.items()]
    return corpus, np.concatenate(list(parts.values()))
