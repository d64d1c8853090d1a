"""Judged pairs in memory."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import pearsonr

from farthing.core.errors import InputError
from farthing.core.types import Pairs
from farthing.learn.data.humans import Judged, grouped_pearson

DATA = Judged("x", list("abcd"), [["p"], ["q", "r"], ["s"], ["t"]], np.array([1.0, 3, 10, 40]), list("gghh"))


def test_constant_groups_are_left_out() -> None:
    human, scores = np.array([1.0, 2, 3, 4, 4, 4]), np.array([1.0, 2, 3, 1, 2, 3])
    assert grouped_pearson(human, scores, list("aaabbb")) == pytest.approx(1)
    with pytest.raises(InputError, match="no group"):
        grouped_pearson(human[3:], scores[3:], list("bbb"))


def test_agreement_is_the_mean_over_the_groups() -> None:
    random = np.random.default_rng(0)
    human, scores = random.normal(size=(2, 30))
    groups = [str(row % 3) for row in range(30)]
    wanted = np.mean([pearsonr(human[g::3], scores[g::3])[0] for g in range(3)])
    data = Judged("x", ["a"] * 30, [["b"]] * 30, human, groups)
    assert data.agreement(scores) == pytest.approx(wanted)


def test_one_row_per_reference() -> None:
    assert DATA.flat()[:2] == (["a", "b", "b", "c", "d"], ["p", "q", "r", "s", "t"])
    assert DATA.flat()[2].tolist() == [1, 3, 3, 10, 40]
    assert isinstance(DATA.pairs, Pairs)


def test_some_of_the_rows() -> None:
    some = DATA.taking([3, 1])
    assert (some.candidates, some.references, some.groups) == (["d", "b"], [["t"], ["q", "r"]], ["h", "g"])
    assert some.scores.tolist() == [40, 3]
    assert len(some) == 2


def test_standard_scores_within_each_group() -> None:
    assert DATA.standardised().tolist() == [-1, 1, -1, 1]
    assert DATA.scores.tolist() == [1, 3, 10, 40]  # the scores themselves stay as they are
    constant = Judged("x", ["a", "b"], [["p"], ["q"]], np.array([2.0, 2.0]), ["g", "g"])
    assert constant.standardised().tolist() == [0, 0]
