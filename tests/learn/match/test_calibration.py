"""The lower end of the scale."""

import numpy as np
import pytest

from farthing.core.errors import UsageError
from farthing.learn.match.calibration import floor_of


def test_half_of_the_unrelated_pairs_lie_below_the_floor() -> None:
    values = np.random.default_rng(1).normal(size=101)
    assert (values < floor_of(values, top=9.0)).sum() == 50


def test_a_student_that_learned_nothing_has_no_scale() -> None:
    with pytest.raises(UsageError, match="learned nothing"):
        floor_of(np.array([1.0, 2.0]), top=1.0)
