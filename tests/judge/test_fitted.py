"""Expectations of verdicts: a line, and shrunken shifts of segments and systems."""

from __future__ import annotations

import numpy as np
import pytest

from farthing.judge.fitted import (
    LEAST_SPREAD,
    SEGMENT_BELIEF,
    SYSTEM_BELIEF,
    EarlierVerdicts,
    Rows,
    VerdictScale,
    predicted_verdicts,
)


def rows(student: np.ndarray, systems: int) -> Rows:
    count = len(student) // systems
    return Rows(student, np.tile(np.arange(count), systems), np.repeat(np.arange(systems), count))


def test_without_verdicts_the_student_stands() -> None:
    given = rows(np.arange(4.0), 2)
    assert predicted_verdicts(given, np.full(4, np.nan), np.ones(4)).tolist() == [0, 1, 2, 3]


def test_the_shifts_are_those_of_ridge_regression() -> None:
    """The alternating steps solve one least-squares problem with a penalty, which numpy solves directly."""
    random = np.random.default_rng(0)
    given = rows(random.normal(size=60), 3)
    judged = np.where(random.random(60) < 0.3, 80 + 3 * given.student + random.normal(0, 5, 60), np.nan)
    known = np.isfinite(judged)
    assert known.sum() < 20  # too few for a spread: it is 1 everywhere
    found = predicted_verdicts(given, judged, np.ones(60))
    slope, start = np.polyfit(given.student[known], judged[known], 1)
    design = np.hstack([np.eye(20)[given.segments], np.eye(3)[given.systems]])
    penalty = np.diag([SEGMENT_BELIEF] * 20 + [SYSTEM_BELIEF] * 3)
    rest = judged[known] - start - slope * given.student[known]
    shifts = np.linalg.solve(design[known].T @ design[known] + penalty, design[known].T @ rest)
    assert found == pytest.approx(start + slope * given.student + design @ shifts, abs=1e-6)


@pytest.mark.parametrize("lower", [False, True])
def test_spread_and_line_are_found_again(lower: bool) -> None:
    """Verdicts whose distance from a line is known: 10 at the bad end, 2 at the good one."""
    student = np.repeat(np.linspace(0, 1, 400), 2)
    student = student - 1 if lower else student
    apart = 10 - 8 * np.abs(student) if not lower else 2 + 8 * (1 + student)
    verdicts = 60 + 40 * student + np.tile([1, -1], 400) * apart
    scale = VerdictScale.fitted(student, verdicts, np.ones(800))
    assert scale.line == pytest.approx((60, 40))
    assert scale.spreads(scale.levels(student)) == pytest.approx(apart)


def test_a_spread_never_falls_below_a_part_of_the_mean_one() -> None:
    student = np.repeat(np.linspace(0, 1, 50), 2)
    verdicts = 50 + 10 * student + np.tile([1, -1], 50) * (1 - student)
    scale = VerdictScale.fitted(student, verdicts, np.ones(100))
    assert scale.spreads(np.array([100.0]))[0] == pytest.approx(LEAST_SPREAD * 0.5)


def test_earlier_verdicts_shift_a_system_and_most_its_bad_outputs() -> None:
    """System 1 was rated one spread lower than system 0; the shrunken shift has a closed form."""
    random = np.random.default_rng(1)
    student = np.tile(random.random(400), 2)
    noise = np.tile(random.permutation(np.repeat([1.0, -1.0], 200)), 2)
    before = Rows(student, np.arange(800), np.repeat([0, 1], 400))  # every row is a segment of its own
    verdicts = 50 + 40 * student + (10 - 8 * student) * (noise + np.repeat([0.5, -0.5], 400))
    now = rows(np.tile([0.1, 0.9], 2), 2)
    found = predicted_verdicts(
        now, np.full(4, np.nan), np.ones(4), EarlierVerdicts(before, verdicts, np.ones(len(verdicts)))
    ).reshape(2, 2)
    apart = found[0] - found[1]
    scale = VerdictScale.fitted(student, verdicts, np.ones(800))
    spreads = scale.spreads(scale.levels(now.student[:2]))
    assert apart / spreads == pytest.approx(np.full(2, apart[0] / spreads[0]))
    assert apart[0] > 2 * apart[1] > 0


def test_earlier_verdicts_alone_give_the_shifts_of_ridge_regression() -> None:
    random = np.random.default_rng(2)
    before, verdicts = rows(random.random(90), 3), random.normal(70, 9, 90)
    now = rows(random.random(30), 3)
    judged = np.where(random.random(30) < 0.5, random.normal(70, 9, 30), np.nan)
    known = np.isfinite(judged)
    scale = VerdictScale.fitted(before.student, verdicts, np.ones(90))
    student = np.concatenate([now.student[known], before.student])
    levels = scale.levels(student)
    rest = (np.concatenate([judged[known], verdicts]) - levels) / scale.spreads(levels)
    segments = np.concatenate([now.segments[known], before.segments + 10])
    design = np.hstack([np.eye(40)[segments], np.eye(3)[np.concatenate([now.systems[known], before.systems])]])
    penalty = np.diag([SEGMENT_BELIEF] * 40 + [SYSTEM_BELIEF] * 3)
    shifts = np.linalg.solve(design.T @ design + penalty, design.T @ rest)
    levels = scale.levels(now.student)
    wanted = levels + scale.spreads(levels) * (shifts[now.segments] + shifts[40 + now.systems])
    found = predicted_verdicts(now, judged, np.ones(30), EarlierVerdicts(before, verdicts, np.ones(len(verdicts))))
    assert found == pytest.approx(wanted, abs=1e-3)
