"""What a judge would say of rows that it has not seen: the student's score on the judge's scale.

The scale is a straight line. Verdicts on other outputs of the same segment, and on other outputs of the same system,
shift it: each shift is shrunk towards none, the more so the fewer verdicts there are. Verdicts on bad outputs spread
far, those on good ones hardly, so a shift is counted in spreads: a system that is worse than the student says is much
worse in its bad outputs, and hardly in its good ones.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from farthing.core.arrays import Floats, Indices
from farthing.judge.estimates import Labels, fitted_line

# How many verdicts count as much as the belief that there is no shift; round numbers, compared with few others on the
# verdicts that benchmarks/judge_replay.py reports.
SEGMENT_BELIEF, SYSTEM_BELIEF = 4.0, 60.0
LEAST_SPREAD = 0.2  # of the mean one: a line may fall below any spread that verdicts have
_ENOUGH = 20  # with fewer verdicts the spread is taken for the same everywhere
_STEPS = 10  # the shifts of segments and systems are found in turns


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The rows of all systems, one system after the other.

    :param segments, systems: the number of each row's segment and system, from 0
    """

    student: Floats
    segments: Indices
    systems: Indices


@dataclass(frozen=True, slots=True, eq=False)
class EarlierVerdicts:
    """Verdicts on other texts of the same systems, which are known before the first call.

    :param rows: with segment numbers of their own, and the system numbers of the texts that are judged now
    :param verdicts: one for each of these rows
    :param weights: how many rows each of them stands for
    """

    rows: Rows
    verdicts: Floats
    weights: Floats


@dataclass(frozen=True, slots=True)
class VerdictScale:
    """The judge's scale.

    :param line: start and slope of the verdict by the student's score
    :param spread: start and slope of the verdict's distance from the line, by what the line says
    :param least: the least spread
    """

    line: tuple[float, float]
    spread: tuple[float, float] = (1.0, 0.0)
    least: float = 1.0

    @classmethod
    def fitted(cls, student: Floats, verdicts: Floats, weights: Floats) -> VerdictScale:
        """Fit the line, then the spread."""
        line = fitted_line(student, verdicts, weights)
        level = line[0] + line[1] * student
        apart = np.abs(verdicts - level)
        mean = float(np.average(apart, weights=weights))
        if len(student) < _ENOUGH or not mean or not line[1]:
            return cls(line)
        # A fitted line never falls; good verdicts spread less if high ones are good, and more if low ones are.
        falls = fitted_line(-level, apart, weights)
        spread = (falls[0], -falls[1]) if falls[1] else fitted_line(level, apart, weights)
        return cls(line, spread, LEAST_SPREAD * mean)

    def levels(self, student: Floats) -> Floats:
        """Return what the judge is expected to say, by the student's score alone."""
        return np.asarray(self.line[0] + self.line[1] * student)

    def spreads(self, levels: Floats) -> Floats:
        """Return how far verdicts spread around these levels."""
        return np.asarray(np.maximum(self.spread[0] + self.spread[1] * levels, self.least))


def predicted_verdicts(rows: Rows, judged: Labels, weights: Floats, earlier: EarlierVerdicts | None = None) -> Floats:
    """Predict the verdict of every row.

    :param judged: the verdicts that are known
    :param weights: how many rows each judged row stands for
    :param earlier: verdicts on other texts; the scale is then theirs
    """
    known = np.isfinite(judged)
    seen = Rows(rows.student[known], rows.segments[known], rows.systems[known])
    if earlier is not None:
        scale = VerdictScale.fitted(earlier.rows.student, earlier.verdicts, earlier.weights)
    elif known.any():
        scale = VerdictScale.fitted(seen.student, judged[known], weights[known])
    else:
        return rows.student
    count = int(rows.segments.max()) + 1, int(rows.systems.max()) + 1
    by_segment, by_system = _shifts(*_seen(seen, judged[known], earlier, count[0]), count, scale)
    levels = scale.levels(rows.student)
    return np.asarray(levels + scale.spreads(levels) * (by_segment[rows.segments] + by_system[rows.systems]))


def _seen(rows: Rows, verdicts: Floats, earlier: EarlierVerdicts | None, count: int) -> tuple[Rows, Floats]:
    """Put all rows with verdicts together; the segments of earlier ones are numbered on."""
    if earlier is None:
        return rows, verdicts
    old = earlier.rows
    joined = Rows(
        np.concatenate([rows.student, old.student]),
        np.concatenate([rows.segments, old.segments + count]),
        np.concatenate([rows.systems, old.systems]),
    )
    return joined, np.concatenate([verdicts, earlier.verdicts])


def _shifts(rows: Rows, verdicts: Floats, count: tuple[int, int], scale: VerdictScale) -> tuple[Floats, Floats]:
    """Return the shift of every segment and system, in spreads."""
    levels = scale.levels(rows.student)
    rest = (verdicts - levels) / scale.spreads(levels)
    by_segment: Floats = np.zeros(max(count[0], int(rows.segments.max(initial=-1)) + 1))
    by_system: Floats = np.zeros(max(count[1], int(rows.systems.max(initial=-1)) + 1))
    for _ in range(_STEPS):
        by_segment = _shrunken(rest - by_system[rows.systems], rows.segments, len(by_segment), SEGMENT_BELIEF)
        by_system = _shrunken(rest - by_segment[rows.segments], rows.systems, len(by_system), SYSTEM_BELIEF)
    return by_segment, by_system


def _shrunken(rest: Floats, groups: Indices, count: int, belief: float) -> Floats:
    sums = np.bincount(groups, rest, minlength=count)
    return np.asarray(sums / (np.bincount(groups, minlength=count) + belief))
