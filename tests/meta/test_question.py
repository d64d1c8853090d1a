"""What a study asks: questions that make no sense, and the test that a question names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from farthing.core.errors import UnknownName, UsageError
from farthing.meta.question import TESTS, Question
from farthing.meta.significance import Difference, bootstrap, permutation, williams_test


@pytest.fixture
def data() -> list[np.ndarray]:
    """People and two metrics, systems x items."""
    random = np.random.default_rng(0)
    human = random.normal(size=(3, 12))
    return [human, *(human + noise * random.normal(size=human.shape) for noise in (0.5, 1.5))]


def test_williams_is_what_it_says(data: list[np.ndarray]) -> None:
    assert Question(test="williams").tester()(*data) == williams_test(*data)


@pytest.mark.parametrize(("name", "test"), [("permutation", permutation), ("bootstrap", bootstrap)])
@pytest.mark.parametrize(
    ("statistic", "average", "level"),
    [("kendall_b", "item", "segment"), ("pearson", "none", "segment"), ("pearson", "none", "system")],
)
def test_resampling_takes_all_that_is_asked(
    data: list[np.ndarray], name: Any, test: Any, statistic: str, average: Any, level: Any
) -> None:
    question = Question(statistic, average, level, name, resamples=25, seed=3)
    found: Difference = question.tester()(*data)
    assert found == test(*data, statistic, average, resamples=25, seed=3, level=level)
    assert found != test(*data, statistic, average, resamples=24, seed=3, level=level)


@pytest.mark.parametrize(
    ("statistic", "average"), [("spearman", "none"), ("pearson", "item"), ("accuracy(epsilon=0.1)", "none")]
)
def test_williams_is_for_pearson_over_everything(statistic: str, average: Any) -> None:
    with pytest.raises(UsageError, match="pearson without averaging: use --test permutation or bootstrap"):
        Question(statistic, average, test="williams")
    assert [Question(statistic, average, test=test).test for test in TESTS[1:]] == ["permutation", "bootstrap"]


def test_an_unknown_test_is_told_with_those_that_exist() -> None:
    wrong: Any = "permutatoin"
    with pytest.raises(UnknownName, match=r"unknown test 'permutatoin'; did you mean 'permutation'"):
        Question(test=wrong)


@pytest.mark.parametrize("statistic", ["soft_pairwise_accuracy", "soft_pairwise_accuracy(seed=1)"])
def test_soft_accuracy_looks_at_segments(statistic: str) -> None:
    assert Question(statistic, level="system").looks_at_segments
    assert not Question("accuracy", level="system").looks_at_segments
