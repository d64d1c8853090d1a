"""What a judge would say of rows that it has not seen: the student's score on the judge's scale.

The scale is a straight line. Verdicts on other outputs of the same segment, and on other outputs of the same system,
shift it: each shift is shrunk towards none, the more so the fewer verdicts there are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from farthing.core.arrays import Floats, Indices
from farthing.judge.estimates import Labels, fitted_line

# How many verdicts count as much as the belief that there is no shift; round numbers, compared with few others on the
# verdicts that benchmarks/judge_replay.py reports.
SEGMENT_BELIEF, SYSTEM_BELIEF = 4.0, 60.0
_STEPS = 10  # the shifts of segments and systems are found in turns


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The rows of all systems, one system after the other.

    :param segments, systems: the number of each row's segment and system, from 0
    """

    student: Floats
    segments: Indices
    systems: Indices


def predicted_verdicts(rows: Rows, judged: Labels, weights: Floats, line: tuple[float, float] | None = None) -> Floats:
    """Predict the verdict of every row.

    :param judged: the verdicts that are known
    :param weights: how many rows each judged row stands for
    :param line: a scale that is known already
    """
    known = np.isfinite(judged)
    if line is None:
        if not known.any():
            return rows.student
        line = fitted_line(rows.student[known], judged[known], weights[known])
    base = line[0] + line[1] * rows.student
    rest = judged[known] - base[known]
    segments, systems = rows.segments[known], rows.systems[known]
    by_segment, by_system = np.zeros(rows.segments.max() + 1), np.zeros(rows.systems.max() + 1)
    for _ in range(_STEPS):
        by_segment = _shifts(rest - by_system[systems], segments, len(by_segment), SEGMENT_BELIEF)
        by_system = _shifts(rest - by_segment[segments], systems, len(by_system), SYSTEM_BELIEF)
    return np.asarray(base + by_segment[rows.segments] + by_system[rows.systems])


def _shifts(rest: Floats, groups: Indices, count: int, belief: float) -> Floats:
    sums = np.bincount(groups, rest, minlength=count)
    return np.asarray(sums / (np.bincount(groups, minlength=count) + belief))
