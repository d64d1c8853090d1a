"""Expectations of verdicts: a line, and shrunken shifts of segments and systems."""

from __future__ import annotations

import numpy as np
import pytest

from farthing.judge.fitted import SEGMENT_BELIEF, SYSTEM_BELIEF, Rows, predicted_verdicts


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
    judged = np.where(random.random(60) < 0.6, random.normal(80, 5, 60), np.nan)
    known = np.isfinite(judged)
    found = predicted_verdicts(given, judged, np.ones(60), (80.0, 2.0))
    design = np.hstack([np.eye(20)[given.segments], np.eye(3)[given.systems]])
    penalty = np.diag([SEGMENT_BELIEF] * 20 + [SYSTEM_BELIEF] * 3)
    rest = judged[known] - 80 - 2 * given.student[known]
    shifts = np.linalg.solve(design[known].T @ design[known] + penalty, design[known].T @ rest)
    assert found == pytest.approx(80 + 2 * given.student + design @ shifts, abs=1e-6)
