"""The mean verdict of each system over all of its rows, from the rows that were judged, with intervals.

They speak of these very texts: what would the mean be if the judge had seen every row? Rows that were chosen are known.
Of the others, those that were drawn stand for the rest, each for as many as its probability says, and correct what was
expected. How much they may be wrong is estimated from all systems together, since one system has few drawn rows.

Rows are drawn at equal steps along what is expected of them, so errors that neighbours share cancel in the sum. The
variance of the sum is therefore that of differences between neighbours (Wolter 1985, chapter 7); a system has only
some of the drawn rows, of which there may be more or fewer by chance, and for its sum only a part of them cancels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from farthing.core.arrays import Floats
from farthing.core.errors import UsageError
from farthing.judge.estimates import LEAST, Estimate, fitted_line, skewness_of, weighted_spread
from farthing.judge.fitted import Rows
from farthing.judge.routing import Routed

_FITTED = 2  # numbers of the line that expectations are brought to the judge's scale with


def verdict_means(routed: Routed, systems: int) -> list[Estimate]:
    """Estimate the mean verdict of every system."""
    known, drawn = np.isfinite(routed.verdicts), routed.drawn
    open_rows = ~known | drawn
    if open_rows.any() and int(drawn.sum()) < LEAST:
        raise UsageError(f"{int(drawn.sum())} verdicts on drawn rows are too few for an interval: raise the budget")
    chances = routed.probabilities
    start, slope = fitted_line(routed.helper[known], routed.verdicts[known], 1 / chances[known])
    expected = start + slope * routed.helper
    rest = (routed.verdicts[drawn] - expected[drawn]) / chances[drawn]
    terms = np.where(open_rows, expected, routed.verdicts)
    terms[drawn] += rest
    order = np.argsort(routed.helper[drawn], kind="stable")
    errors = _DrawnErrors(rest[order], 1 - chances[drawn][order])
    burden = np.where(open_rows, 1 / chances - 1, 0.0)  # rows that a drawn one stands for beside itself
    return [_estimate(routed, terms, errors, burden, routed.rows.systems == system) for system in range(systems)]


def unaided(routed: Routed) -> Routed:
    """Return the same verdicts without the student: their means are the classical ones, weighted by probabilities."""
    return replace(routed, helper=np.zeros(len(routed.helper)))


def length_against_even(routed: Routed) -> float:
    """Return how long the interval of all rows together is, divided by that of as many rows drawn evenly.

    The latter is the classical one: it has no student. It is estimated from the same verdicts.
    """
    known, together = np.isfinite(routed.verdicts), np.zeros(len(routed.verdicts), dtype=int)
    rows = Rows(routed.rows.student, routed.rows.segments, together)
    [found] = verdict_means(replace(routed, rows=rows), 1)
    count = int(known.sum())
    spread = weighted_spread(routed.verdicts[known], 1 / routed.probabilities[known])
    even = Estimate(found.mean, spread * math.sqrt((1 - known.mean()) / count), count, count - 1)
    return found.width / even.width if even.error else 1.0


def advised_share(routed: Routed) -> float:
    """Return the part of the calls that `worst` should draw for intervals as long as those of rows drawn evenly.

    An interval shrinks with the root of the number of drawn rows. Rounded up to a twentieth; 1 means another policy.
    """
    judged = int(np.isfinite(routed.verdicts).sum())
    wanted = length_against_even(routed) ** 2 * int(routed.drawn.sum()) / judged
    return min(1.0, math.ceil(20 * wanted) / 20)


@dataclass(frozen=True, slots=True, eq=False)
class _DrawnErrors:
    """What drawn rows add to a sum, in the order in which they were drawn.

    :param kept: for each, how likely it was not to be drawn
    """

    values: Floats
    kept: Floats

    @property
    def count(self) -> float:
        """How many drawn rows with equal probabilities would tell as much."""
        weights = 1 / (1 - self.kept)
        return float(weights.sum() ** 2 / (weights @ weights))

    def variance(self, share: float) -> float:
        """Return the variance of the sum over a system that has this share of the drawn rows."""
        count = len(self.values)
        pairs = (self.kept[1:] + self.kept[:-1]) / 2
        together = float(pairs @ np.diff(self.values) ** 2) / 2 * count / (count - 1)
        alone = float(self.kept @ self.values**2)
        fitted = self.count / max(1.0, self.count - _FITTED)  # the line lies closer to these rows than to others
        return fitted * (share**2 * together + share * (1 - share) * alone)

    @property
    def freedom(self) -> float:
        """The degrees of freedom: of differences there are fewer than of values, and of values with far ones, too."""
        apart = self.values - self.values.mean()
        square = float(np.mean(apart**2))
        kurtosis = float(np.mean(apart**4)) / square**2 - 3 if square else 0.0
        return max(1.0, 2 * self.count / (3 + max(0.0, kurtosis)) - 1)


def _estimate(routed: Routed, terms: Floats, errors: _DrawnErrors, burden: Floats, own: np.ndarray) -> Estimate:
    size, labels = int(own.sum()), int(np.isfinite(routed.verdicts[own]).sum())
    mean, whole = float(terms[own].mean()), float(burden.sum())
    share = float(burden[own].sum()) / whole if whole else 0.0
    if not share:
        return Estimate(mean, 0.0, labels)
    skewness = skewness_of(errors.values) / math.sqrt(share)
    return Estimate(mean, math.sqrt(errors.variance(share)) / size, labels, errors.freedom, skewness)
