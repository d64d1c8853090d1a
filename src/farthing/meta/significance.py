"""Is one metric better than another, or was it luck?

All tests are one-sided: a small p says that the first metric agrees better with people than the second. Both must
be oriented so that higher is better. Resampling is seeded; p = (hits + 1) / (resamples + 1) is never zero. The
paired tests between *systems* are those of `farthing compare`, in :mod:`farthing.scoring.resampling`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from farthing.core.errors import UnknownName, UsageError
from farthing.core.specs import Spec, parse_spec
from farthing.meta.correlation import Average, Undefined, checked_scores, correlate
from farthing.meta.sums import Sums, Unit, as_sums, standardised

Level: TypeAlias = Literal["segment", "system"]
_BLOCK = 1 << 22  # random numbers held at a time


@dataclass(frozen=True, slots=True)
class Difference:
    """The first metric's agreement minus the second's.

    :param p_value: of the hypothesis that chance alone makes the first this much better
    :param p_reverse: the same for the second
    :param interval: the middle 95 % of the bootstrap samples, if there are any
    """

    difference: float
    p_value: float
    p_reverse: float
    interval: tuple[float, float] | None = None


def williams(r12: float, r13: float, r23: float, n: int) -> float:
    """Return the one-sided p of Williams' test that r12 is greater than r13.

    :param r12: correlation of people and the first metric
    :param r13: correlation of people and the second metric
    :param r23: correlation of the two metrics
    :param n: outputs that all three scored

    >>> round(williams(0.8, 0.7, 0.9, 100), 8)
    0.00019574
    """
    from scipy.stats import t

    if n < 4:
        raise Undefined(f"Williams' test needs at least four outputs, there are {n}")
    if not all(abs(r) <= 1 for r in (r12, r13, r23)):
        raise UsageError(f"correlations lie between -1 and 1, not {r12}, {r13}, {r23}")
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    if determinant < -1e-9:
        raise UsageError(f"no three variables have the correlations {r12}, {r13} and {r23}")
    if r12 == r13:
        return 0.5
    spread = 2 * max(determinant, 0.0) * (n - 1) / (n - 3) + ((r12 + r13) / 2) ** 2 * (1 - r23) ** 3
    if spread <= 0:
        return 0.0 if r12 > r13 else 1.0
    return float(t.sf((r12 - r13) * np.sqrt((n - 1) * (1 + r23) / spread), n - 3))


def williams_test(human: ArrayLike, first: ArrayLike, second: ArrayLike) -> Difference:
    """Test scores by Williams' test: Pearson over all outputs that people scored."""
    people, one = checked_scores(human, first)
    people, two = checked_scores(people, second)
    first_r, second_r = correlate(people, one).value, correlate(people, two).value
    p_value = williams(first_r, second_r, correlate(one, two).value, int(np.sum(~np.isnan(people))))
    return Difference(first_r - second_r, p_value, 1 - p_value)


def permutation(
    human: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    statistic: str | Spec = "pearson",
    average: Average = "none",
    *,
    resamples: int = 1000,
    seed: int = 0,
    level: Level = "segment",
    unit: Unit = "output",
) -> Difference:
    """Test by swapping both metrics' standardised scores at random (PERM-BOTH).

    With `average="item"` or `unit="item"`, all outputs of an item are swapped together, since they are not
    independent of each other. Spearman swaps ranks.
    """
    data = _Data.of(human, first, second, statistic, average, level, resamples)
    sums = data.sums(unit)
    random = np.random.default_rng(seed)
    found = _swapped_sums(sums, resamples, random) if sums else data.swapped(resamples, random)
    observed = data.observed()
    found = found[~np.isnan(found)]
    slack = 1e-12
    hits, reverse = np.sum(found >= observed - slack), np.sum(found <= observed + slack)
    return Difference(observed, float(hits + 1) / (len(found) + 1), float(reverse + 1) / (len(found) + 1))


def bootstrap(
    human: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    statistic: str | Spec = "pearson",
    average: Average = "none",
    *,
    resamples: int = 1000,
    seed: int = 0,
    level: Level = "segment",
) -> Difference:
    """Test by drawing items with replacement: p is how often the first metric is not better."""
    data = _Data.of(human, first, second, statistic, average, level, resamples)
    sums = data.sums("item")
    random = np.random.default_rng(seed)
    found = _drawn_sums(sums, resamples, random) if sums else data.drawn(resamples, random)
    observed = data.observed()
    found = found[~np.isnan(found)]
    if not len(found):
        raise Undefined("no bootstrap sample has a defined statistic: there is too little data")
    hits, reverse = np.sum(found <= 0), np.sum(found >= 0)
    low, high = np.quantile(found, [0.025, 0.975])
    return Difference(
        observed, float(hits + 1) / (len(found) + 1), float(reverse + 1) / (len(found) + 1), (float(low), float(high))
    )


@dataclass(frozen=True, slots=True)
class _Data:
    """Two metrics and people, checked, with the statistic that compares them."""

    human: np.ndarray
    first: np.ndarray
    second: np.ndarray
    spec: Spec
    average: Average
    level: Level

    @classmethod
    def of(
        cls,
        human: ArrayLike,
        first: ArrayLike,
        second: ArrayLike,
        statistic: str | Spec,
        average: Average,
        level: Level,
        resamples: int,
    ) -> _Data:
        if resamples < 1:
            raise UsageError(f"at least one resample is needed, not {resamples}")
        if level not in ("segment", "system"):
            raise UnknownName("level", level, ("segment", "system"))
        spec = parse_spec(statistic) if isinstance(statistic, str) else statistic
        people, one = checked_scores(human, first)
        people, two = checked_scores(people, second)
        return cls(people, one, two, spec, average, level)

    def sums(self, unit: Unit) -> Sums | None:
        self.value(self.human, self.first)  # raises if the statistic or the data are wrong
        if self.level == "system":
            return None
        return as_sums(self.human, self.first, self.second, self.spec, self.average, unit)

    def value(self, human: np.ndarray, metric: np.ndarray) -> float:
        if self.level == "system" and self.spec.name != "soft_pairwise_accuracy":
            return correlate(system_means(human), system_means(metric), self.spec).value
        return correlate(human, metric, self.spec, self.average).value

    def observed(self) -> float:
        return self.value(self.human, self.first) - self.value(self.human, self.second)

    def swapped(self, count: int, random: np.random.Generator) -> np.ndarray:
        # A threshold of ties belongs to a scale; setting one says that both metrics share it.
        scale = standardised if not self.spec.options.get("epsilon") else lambda scores: scores
        first, second = scale(self.first), scale(self.second)
        return np.array([self._one_swap(first, second, random) for _ in range(count)])

    def _one_swap(self, first: np.ndarray, second: np.ndarray, random: np.random.Generator) -> float:
        swap = random.random(first.shape) < 0.5
        return self._difference(self.human, np.where(swap, second, first), np.where(swap, first, second))

    def drawn(self, count: int, random: np.random.Generator) -> np.ndarray:
        items = self.human.shape[1]
        draws = (random.integers(items, size=items) for _ in range(count))
        return np.array([self._difference(self.human[:, d], self.first[:, d], self.second[:, d]) for d in draws])

    def _difference(self, human: np.ndarray, first: np.ndarray, second: np.ndarray) -> float:
        try:
            return self.value(human, first) - self.value(human, second)
        except Undefined:
            return float("nan")


def system_means(scores: np.ndarray) -> np.ndarray:
    """Average each system over its scored outputs; NaN for a system without scores."""
    counts = np.sum(~np.isnan(scores), axis=1)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(counts > 0, np.nansum(scores, axis=1) / np.maximum(counts, 1), np.nan))


def _swapped_sums(sums: Sums, count: int, random: np.random.Generator) -> np.ndarray:
    change = sums.second - sums.first
    first, second = sums.first.sum(axis=0), sums.second.sum(axis=0)
    found = []
    for block in _blocks(count, len(change)):
        moved = (random.random((block, len(change)), dtype=np.float32) < 0.5).astype(float) @ change
        found.append(sums.values(first + moved) - sums.values(second - moved))
    return np.concatenate(found)


def _drawn_sums(sums: Sums, count: int, random: np.random.Generator) -> np.ndarray:
    units = len(sums.first)
    found = []
    for block in _blocks(count, units):
        times = _draw_counts(block, units, random)
        found.append(sums.values(times @ sums.first) - sums.values(times @ sums.second))
    return np.concatenate(found)


def _draw_counts(block: int, units: int, random: np.random.Generator) -> np.ndarray:
    """Count how often each unit is drawn in each of a block of bootstrap samples."""
    drawn = random.integers(units, size=(block, units)) + units * np.arange(block)[:, None]
    return np.bincount(drawn.ravel(), minlength=block * units).reshape(block, units).astype(float)


def _blocks(count: int, width: int) -> Iterator[int]:
    size = max(1, _BLOCK // max(1, width))
    for start in range(0, count, size):
        yield min(size, count - start)
