"""What a study asks: what makes no sense is refused, and each test is the one that was named."""

from __future__ import annotations

import numpy as np
import pytest

from farthing.core.errors import UnknownName, UsageError
from farthing.meta.question import Question
from farthing.meta.significance import bootstrap, permutation, williams_test


def test_questions_that_make_no_sense() -> None:
    with pytest.raises(UsageError, match="Williams' test is for pearson"):
        Question("kendall_b", test="williams")
    with pytest.raises(UsageError, match="Williams' test is for pearson"):
        Question("pearson", "item", test="williams")
    with pytest.raises(UnknownName, match="unknown test"):
        Question(test="t-test")  # type: ignore[arg-type]


def test_the_tester_runs_the_named_test_with_the_questions_settings() -> None:
    human, first, second = np.random.default_rng(1).normal(size=(3, 3, 8))
    settings = {"resamples": 40, "seed": 7}
    expected = {
        Question(test="williams"): williams_test(human, first, second),
        Question("kendall_b", "item", test="permutation", **settings): permutation(  # type: ignore[arg-type]
            human,
            first,
            second,
            "kendall_b",
            "item",
            **settings,  # type: ignore[arg-type]
        ),
        Question(level="system", test="bootstrap", **settings): bootstrap(  # type: ignore[arg-type]
            human,
            first,
            second,
            level="system",
            **settings,  # type: ignore[arg-type]
        ),
    }
    for question, difference in expected.items():
        assert question.tester()(human, first, second) == difference


def test_only_soft_pairwise_accuracy_looks_at_segments() -> None:
    assert Question("soft_pairwise_accuracy(seed=1)", level="system").looks_at_segments
    assert not Question("accuracy", level="system").looks_at_segments
