"""Means from few labels and many predictions, with intervals that hold however good the predictions are.

`powered_mean` is the estimator of prediction-powered inference (Angelopoulos et al. 2023, arxiv:2311.01453) for labels
of rows that were drawn evenly. `weighted_mean` is the estimator of active statistical inference (Zrnic and Candès 2024,
arxiv:2403.03208) for rows that were drawn with known, different probabilities. Both speak of the mean over all texts of
the kind, of which the rows are a sample.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from farthing.core.arrays import Floats
from farthing.core.errors import UsageError
from farthing.scoring.resampling import LEVEL, Interval

Labels: TypeAlias = Floats  #: one value per row, NaN for a row without a label
LEAST = 3  # labels that an interval needs
MOST_SKEWED = 0.3  # of few values the skewness is hardly known, and the correction holds for small ones only


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and how exact it is.

    :param error: its standard error
    :param labels: how many labels it is made from
    :param freedom: degrees of freedom of Student's distribution; infinite for the normal one
    :param skewness: of the sampling distribution; 0 for a symmetric interval
    :param bounds: the ends of the scale, beyond which no mean can be
    """

    mean: float
    error: float
    labels: int
    freedom: float = math.inf
    skewness: float = 0.0
    bounds: tuple[float, float] = (-math.inf, math.inf)

    def interval(self, level: float = LEVEL) -> Interval:
        """Return the interval that covers the true mean with probability 1 - level."""
        reach = quantile(self.freedom, level)
        low, high = (self.mean - self.error * unskewed(side, self.skewness) for side in (reach, -reach))
        return Interval(*(min(max(value, self.bounds[0]), self.bounds[1]) for value in (self.mean, low, high)))

    @property
    def width(self) -> float:
        """The width of the 95 % interval."""
        limits = self.interval()
        return limits.high - limits.low

    def p_value(self) -> float:
        """Return how likely a mean this far from 0 is if the true one is 0."""
        from scipy.special import ndtr, stdtr

        if not self.error:
            return 0.0 if self.mean else 1.0
        size = -abs(self.mean) / self.error
        return 2 * float(ndtr(size) if math.isinf(self.freedom) else stdtr(self.freedom, size))


def quantile(freedom: float, level: float = LEVEL) -> float:
    """Return how many standard errors an interval reaches to each side.

    >>> round(quantile(math.inf), 3), round(quantile(10), 3)
    (1.96, 2.228)
    """
    from scipy.special import ndtri, stdtrit

    return float(ndtri(1 - level / 2) if math.isinf(freedom) else stdtrit(freedom, 1 - level / 2))


def unskewed(statistic: float, skewness: float) -> float:
    """Return which studentised mean of skewed values stands where `statistic` stands among symmetric ones.

    Verdicts are skewed: most are high, few are very low. Hall's (1992) cubic transformation corrects for it.

    >>> unskewed(1.96, 0.0), round(unskewed(1.96, 0.1), 2), round(unskewed(-1.96, 0.1), 2)
    (1.96, 1.83, -2.12)
    """
    if abs(skewness) < 1e-6:
        return statistic
    skewness = min(max(skewness, -MOST_SKEWED), MOST_SKEWED)
    return float(np.cbrt(1 + skewness * (statistic - skewness / 6)) - 1) * 3 / skewness


def skewness_of(values: Floats) -> float:
    """Return the skewness of the mean of independent values."""
    spread = float(values.std())
    if not spread:
        return 0.0
    return float(np.mean((values - values.mean()) ** 3)) / spread**3 / math.sqrt(len(values))


def classical_mean(labels: Floats) -> Estimate:
    """Estimate a mean from labels alone."""
    _check(len(labels))
    error = float(labels.std(ddof=1)) / math.sqrt(len(labels))
    return Estimate(float(labels.mean()), error, len(labels), len(labels) - 1, skewness_of(labels))


def powered_mean(labels: Floats, predicted: Floats, others: Floats, power: float | None = None) -> Estimate:
    """Estimate the mean of labels with the help of predictions.

    :param predicted: the predictions for the labelled rows
    :param others: the predictions for the rows without a label; without any, the predictions are of no use
    :param power: how far the predictions are trusted; by default as far as makes the interval shortest
    """
    count = len(labels)
    _check(count)
    if not len(others):
        return classical_mean(labels)
    trust = usual_power(labels, predicted, others) if power is None else power
    rest = labels - trust * predicted
    error = math.sqrt(trust**2 * float(others.var()) / len(others) + float(rest.var()) / count)
    share = float(rest.var()) / count / error**2 if error else 0.0  # the many predictions hardly add to the skewness
    return Estimate(float(trust * others.mean() + rest.mean()), error, count, count - 1, skewness_of(rest) * share**1.5)


def usual_power(labels: Floats, predicted: Floats, others: Floats) -> float:
    """Return how far predictions should be trusted; it has the scale of the labels per unit of the predictions."""
    spread = float(np.var(np.concatenate([predicted, others]), ddof=1))
    if not spread:
        return 0.0
    shared = float(np.mean((labels - labels.mean()) * (predicted - predicted.mean())))
    return max(0.0, shared / (1 + len(labels) / len(others)) / spread)


def weighted_mean(labels: Labels, predicted: Floats, probabilities: Floats) -> Estimate:
    """Estimate the mean of labels that were drawn with known probabilities.

    :param predicted: the predictions for all rows
    :param probabilities: for every row, how likely it was to get a label
    """
    terms, count = weighted_terms(labels, predicted, probabilities)
    error = float(terms.std(ddof=1)) / math.sqrt(len(terms))
    freedom = min(freedom_of(probabilities[np.isfinite(labels)]), _freedom_of_spread(terms))
    return Estimate(float(terms.mean()), error, count, freedom, skewness_of(terms))


def weighted_terms(labels: Labels, predicted: Floats, probabilities: Floats) -> tuple[Floats, int]:
    """Return one unbiased value per row, whose mean is the estimate, and the number of labels."""
    known = np.isfinite(labels)
    _check(int(known.sum()))
    if not np.all(probabilities[known] > 0):
        raise UsageError("a labelled row has the probability 0: every row must be able to get a label")
    fitted = fitted_line(predicted[known], labels[known], 1 / probabilities[known])
    terms = fitted[0] + fitted[1] * predicted
    terms[known] += (labels[known] - terms[known]) / probabilities[known]
    return terms, int(known.sum())


def fitted_line(given: Floats, wanted: Floats, weights: Floats) -> tuple[float, float]:
    """Fit wanted = start + slope · given by weighted least squares; a slope that points down is taken for chance."""
    total = weights.sum()
    centre, level = float(weights @ given / total), float(weights @ wanted / total)
    spread = float(weights @ (given - centre) ** 2)
    slope = max(0.0, float(weights @ ((given - centre) * (wanted - level))) / spread) if spread else 0.0
    return level - slope * centre, slope


def weighted_spread(labels: Floats, weights: Floats) -> float:
    """Return the standard deviation of labels of which each stands for so many rows."""
    centre = np.average(labels, weights=weights)
    return float(np.sqrt(np.average((labels - centre) ** 2, weights=weights)))


def freedom_of(probabilities: Floats) -> float:
    """Return the degrees of freedom of a variance that labels with these probabilities give; two were fitted."""
    weights = 1 / probabilities
    return max(1.0, float(weights.sum() ** 2 / (weights @ weights)) - 2)


def _freedom_of_spread(terms: Floats) -> float:
    """Return the degrees of freedom of the variance of values of which few are far from the others."""
    square = float(terms.var())
    kurtosis = float(np.mean((terms - terms.mean()) ** 4)) / square**2 if square else 3.0
    return max(1.0, 2 * len(terms) / max(kurtosis - 1, 1e-9))


def equivalent_labels(estimate: Estimate, spread: float) -> float:
    """Return how many labels alone would give an interval as short.

    :param spread: the standard deviation of the labels
    """
    return spread**2 / estimate.error**2 if estimate.error else math.inf


def labels_needed(labels: Floats, predicted: Floats, others: Floats, width: float, most: int) -> int | None:
    """Return how many evenly drawn labels make an interval of this width; None if all rows are not enough.

    :param most: how many rows there are
    """
    every = np.concatenate([predicted, others])
    start, slope = fitted_line(predicted, labels, np.ones(len(labels)))
    rest, told = float(np.var(labels - start - slope * predicted, ddof=1)), slope**2 * float(every.var(ddof=1))
    for count in _counts(most):
        # With the best power, what the predictions tell is known from all rows, the rest from the labelled ones.
        error = math.sqrt(told / most + rest / count)
        if 2 * quantile(count - 1) * error <= width:
            return count
    return None


def _counts(most: int) -> range:
    return range(LEAST, most + 1)


def _check(count: int) -> None:
    if count < LEAST:
        raise UsageError(f"{count} labels are too few for an interval: label at least {LEAST} rows")
