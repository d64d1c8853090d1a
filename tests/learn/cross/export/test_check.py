"""The check of an export, with an export that is made up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from farthing.core.errors import ModelError
from farthing.learn.cross.export.check import check_export
from farthing.students.pair_ids import PairIds

ROWS = [PairIds([1], [0])] * 100
ORIGINAL = np.random.default_rng(1).normal(size=100)


class Exported:
    """Says what it is told to."""

    def __init__(self, scores: np.ndarray) -> None:
        self.all = scores

    def scores(self, rows: Sequence[PairIds]) -> np.ndarray:
        return self.all[: len(rows)]


def check(scores: np.ndarray, precision: str, original: np.ndarray = ORIGINAL) -> Any:
    return check_export(Exported(scores), original, ROWS, precision)  # type: ignore[arg-type]


def test_the_largest_difference_counts() -> None:
    near = ORIGINAL.copy()
    near[17] += 8e-6
    agreement = check(near, "fp32")
    assert agreement.difference == pytest.approx(8e-6)
    assert agreement.pearson == pytest.approx(1)
    assert agreement.speed > 0
    near[17] += 1e-4
    with pytest.raises(ModelError, match=r"deviates from the trained one by 0.00011, over [0-9.e-]+: not written"):
        check(near, "fp32")
    assert check(near, "fp16").difference == pytest.approx(1.08e-4)


def test_large_scores_may_differ_by_more() -> None:
    assert check(1000 * ORIGINAL + 5e-3, "fp32", 1000 * ORIGINAL).difference == pytest.approx(5e-3)


def test_integers_are_judged_by_their_correlation() -> None:
    random = np.random.default_rng(2)
    assert check(ORIGINAL + 0.01 * random.normal(size=100), "int8").pearson > 0.999
    with pytest.raises(ModelError, match="export fp16 instead"):
        check(ORIGINAL + 0.2 * random.normal(size=100), "int8")


def test_scores_that_are_not_numbers() -> None:
    with pytest.raises(ModelError, match="scores that are not numbers"):
        check(np.full(100, np.nan), "int8")
