"""What every student promises, whatever its kind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from farthing.core.types import Pairs
from farthing.students.layout import open_student
from farthing.students.student import PairOptions, Student


@pytest.fixture(params=["static", "cross", "estimator"])
def student(
    request: pytest.FixtureRequest, student_folder: Path, exported_folder: Path, estimator_folder: Callable[..., Path]
) -> Student:
    if request.param == "estimator":
        return open_student(estimator_folder(inputs=("reference",)), threads=1)
    return open_student(student_folder if request.param == "static" else exported_folder, threads=1)


def test_one_finite_score_per_pair_and_system(student: Student) -> None:
    systems = [
        Pairs(["the cat", ""], [["a cat"], ["the mat", "a dog"]], system="one"),
        Pairs(["a dog", "the mat"], [["a cat"], ["the mat", "a dog"]], system="two"),
    ]
    found = student.score_systems(systems)
    assert [one.segments.shape for one in found] == [(2,), (2,)]
    alone = [student.score_systems([pairs])[0] for pairs in systems]
    for together, single in zip(found, alone, strict=True):
        assert np.isfinite(together.segments).all()
        assert together.segments == pytest.approx(single.segments, abs=1e-4)
        assert together.notes == single.notes


def test_the_fields_fit_a_signature(student: Student) -> None:
    fields = student.fields()
    assert len(str(fields["weights"])) == 12
    assert {"tokenizer", "limit"} <= fields.keys()


def test_no_score_is_above_the_range(student: Student) -> None:
    low, high = student.range
    [found] = student.score_systems([Pairs(["the cat", "a dog"], [["the cat"], ["the mat"]])])
    assert low is None
    assert high is None or found.segments.max() <= high


def test_the_usual_options_are_those_of_a_plain_student() -> None:
    assert PairOptions() == PairOptions(long=None, limit=None, symmetric=False, compat=None)
