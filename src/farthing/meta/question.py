"""What a study asks of every metric."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from farthing.core.errors import UnknownName, UsageError
from farthing.core.specs import parse_spec
from farthing.meta.correlation import Average
from farthing.meta.significance import Difference, Level, bootstrap, permutation, williams_test

TestName: TypeAlias = Literal["williams", "permutation", "bootstrap"]
TESTS: tuple[TestName, ...] = ("williams", "permutation", "bootstrap")
Tester: TypeAlias = Callable[[np.ndarray, np.ndarray, np.ndarray], Difference]  #: of people and two metrics


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of every metric.

    :param level: "segment" compares outputs, "system" whole systems
    :param test: how metrics are tested against each other, if at all
    """

    statistic: str = "pearson"
    average: Average = "none"
    level: Level = "segment"
    test: TestName | None = None
    resamples: int = 1000
    seed: int = 0
    alpha: float = 0.05

    def __post_init__(self) -> None:
        if self.test is not None and self.test not in TESTS:
            raise UnknownName("test", self.test, TESTS)
        if self.test == "williams" and (parse_spec(self.statistic).name, self.average) != ("pearson", "none"):
            raise UsageError("Williams' test is for pearson without averaging: use --test permutation or bootstrap")

    @property
    def looks_at_segments(self) -> bool:
        """True for a statistic of systems that needs the segments behind their scores."""
        return parse_spec(self.statistic).name == "soft_pairwise_accuracy"

    def tester(self) -> Tester:
        """Return the test of two metrics on one group."""
        if self.test == "williams":
            return williams_test
        run = permutation if self.test == "permutation" else bootstrap
        return lambda human, first, second: run(
            human,
            first,
            second,
            self.statistic,
            self.average,
            resamples=self.resamples,
            seed=self.seed,
            level=self.level,
        )
