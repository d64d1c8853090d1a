"""How many segments a comparison needs: a true difference of a given size is seen in four tests of five.

The difference of two systems varies from test set to test set with a standard deviation that shrinks with the root of
the number of segments. A difference is seen in 80 % of the tests at p < 0.05 if it is 2.8 standard deviations large.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from farthing.core.types import MetricInfo
from farthing.scoring.resampling import LEVEL, SEED, Resampled

SEEN = 0.8  # the share of tests that find the difference
_SAMPLES = 1000
_DEVIATIONS = NormalDist().inv_cdf(1 - LEVEL / 2) + NormalDist().inv_cdf(SEEN)


@dataclass(frozen=True, slots=True)
class Power:
    """What a test set of this size shows.

    :param deviation: standard deviation of the difference of the two scores, between test sets of this size
    :param size: number of units that were resampled: segments or documents
    """

    deviation: float
    size: int

    @property
    def smallest(self) -> float:
        """The smallest true difference that 80 % of tests of this size find.

        >>> round(Power(deviation=0.5, size=400).smallest, 3)
        1.401
        """
        return _DEVIATIONS * self.deviation

    def needed(self, difference: float) -> int:
        """Return how many segments (or documents) find a true difference of this size in 80 % of tests.

        >>> Power(deviation=0.5, size=400).needed(1.0)
        785
        """
        return max(2, math.ceil(self.size * (self.smallest / difference) ** 2))


def power(first: Resampled, second: Resampled, seed: int = SEED) -> Power:
    """Estimate the power of the comparison of two systems from the bootstrap samples of their difference."""
    difference = second.bootstrap(_SAMPLES, seed) - first.bootstrap(_SAMPLES, seed)
    return Power(float(np.std(difference, ddof=1)), len(first))


def one_point(info: MetricInfo) -> float:
    """Return one point on the scale of a metric: 1, or 0.01 if its scores end near 1."""
    top = info.range[1]
    return 0.01 if top is not None and top < 10 else 1.0
