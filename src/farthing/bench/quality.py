"""The quality of a metric: its agreement with people, as EffEval measures it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from farthing.bench.data import BenchData
from farthing.meta.question import Question
from farthing.meta.scored import Scored
from farthing.meta.study import study


@dataclass(frozen=True, slots=True)
class MetricQuality:
    """How well a metric agrees with people.

    :param value: the mean over the groups (language pairs); None if it is undefined
    :param groups: the value of each group that has one
    :param reason: why the value is undefined
    """

    statistic: str
    value: float | None
    groups: Mapping[str, float] = field(default_factory=dict)
    reason: str = ""


def metric_quality(
    data: BenchData, scores: Sequence[float], statistic: str, *, higher_is_better: bool = True
) -> MetricQuality:
    """Compare the scores of all rows with those of people."""
    name = "metric"
    scored = Scored(name, np.asarray(scores, dtype=float), higher_is_better)
    found = study(data.judgements, [scored], Question(statistic), data.human)
    cells = {group: found.cells[name][group] for group in found.groups}
    values = {group: cell.found.value for group, cell in cells.items() if cell.found is not None}
    reason = next((f"{group}: {cell.reason}" for group, cell in cells.items() if cell.found is None), "")
    return MetricQuality(statistic, found.mean(name), values, reason)
