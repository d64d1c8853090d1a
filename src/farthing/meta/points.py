"""The points of a scatter plot: outputs or systems, with their human scores and their scores by each metric."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from farthing.core.arrays import Segments
from farthing.meta.judgements import Judgements
from farthing.meta.study import Study, judged_systems


@dataclass(frozen=True, slots=True, eq=False)
class ScatterPoints:
    """Human and metric scores of the same outputs or systems; the metrics' are not oriented."""

    human: Segments
    metrics: dict[str, Segments]
    groups: tuple[str, ...]


def scatter_points(judgements: Judgements, found: Study) -> ScatterPoints:
    """Return the points behind a study."""
    if found.question.level == "segment" or found.human not in (judgements.system_scores or judgements.scores):
        values = {metric.name: metric.values for metric in found.metrics}
        return ScatterPoints(judgements.judged(found.human), values, judgements.groups)
    grids = judgements.grids()
    people = np.concatenate([judged_systems(judgements, grid, found.human) for grid in grids])
    values = {
        metric.name: np.concatenate([metric.of_systems(grid) for grid in grids])
        * (1 if metric.higher_is_better else -1)
        for metric in found.metrics
    }
    return ScatterPoints(people, values, tuple(grid.group for grid in grids for _ in grid.systems))
