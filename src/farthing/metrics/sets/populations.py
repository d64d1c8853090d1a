"""Estimators of the size of a population, as Mark-Evaluate uses them, in closed form from a few counts.

A corpus of n samples and m generated samples form a population of known size n + m. Every sample has a sphere that
reaches to its k-th nearest neighbour in its own set; a sphere captures the samples that lie in it. The samples of a
good generator mix with the corpus, and then the estimate from the captures is close to the known size.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Census:
    """The counts that all three estimators need.

    :param k: the neighbour to which the spheres reach
    :param corpus: samples in the corpus (n)
    :param generated: generated samples (m)
    :param covered_generated: generated samples that lie in any sphere of the corpus (a)
    :param covered_corpus: samples of the corpus that lie in any generated sample's sphere (b)
    :param reached_corpus: pairs in which a generated sample's sphere holds a sample of the corpus (x)
    :param reached_generated: pairs in which a corpus sample's sphere holds a generated sample (y)

    >>> same = Census(1, 10, 10, 10, 10, 20, 20)
    >>> same.petersen, same.schnabel_quality, same.capture
    (1.0, 1.0, 1.0)
    """

    k: int
    corpus: int
    generated: int
    covered_generated: int
    covered_corpus: int
    reached_corpus: int
    reached_generated: int

    @property
    def population(self) -> int:
        """The true size of the population."""
        return self.corpus + self.generated

    @property
    def unmarked_generated(self) -> int:
        """The number of generated samples outside all spheres of the corpus (U of the quality)."""
        return self.generated - self.covered_generated

    @property
    def unmarked_corpus(self) -> int:
        """The number of corpus samples outside all spheres of generated samples (U of the diversity)."""
        return self.corpus - self.covered_corpus

    @property
    def petersen_estimate(self) -> float:
        """Marked times captured, divided by recaptured; infinite if nothing is recaptured."""
        recaptured = self.covered_generated + self.covered_corpus
        marked, captured = self.corpus + self.covered_generated, self.generated + self.covered_corpus
        return marked * captured / recaptured if recaptured else math.inf

    @property
    def petersen(self) -> float:
        """One number for quality and diversity; 1 if either set is covered completely."""
        recaptured = self.covered_generated + self.covered_corpus
        if not recaptured:
            return 0.0
        # Equal to the loss of the estimate, but without its rounding: identical sets get exactly 1.
        return 1 - min(self.unmarked_corpus * self.unmarked_generated / (recaptured * self.population), 1.0)

    @property
    def quality_loss(self) -> float:
        """The relative error of Schnabel's estimate if the generated samples are recaptured."""
        return _schnabel_loss(self.k, self.generated, self.reached_corpus, self.unmarked_generated)

    @property
    def diversity_loss(self) -> float:
        """The relative error of Schnabel's estimate if the corpus is recaptured."""
        return _schnabel_loss(self.k, self.corpus, self.reached_generated, self.unmarked_corpus)

    @property
    def schnabel_quality_estimate(self) -> float:
        """Schnabel's estimate if the generated samples are recaptured one by one."""
        return self.population * (1 + self.quality_loss)

    @property
    def schnabel_diversity_estimate(self) -> float:
        """Schnabel's estimate if the samples of the corpus are recaptured one by one."""
        return self.population * (1 + self.diversity_loss)

    @property
    def schnabel_quality(self) -> float:
        """How well the corpus covers the generated samples, between 1 - 1/k and 1."""
        return 1 - self.quality_loss

    @property
    def schnabel_diversity(self) -> float:
        """How well the generated samples cover the corpus, between 1 - 1/k and 1."""
        return 1 - self.diversity_loss

    @property
    def schnabel_quality_normalised(self) -> float:
        """Schnabel's quality, rescaled to the range from 0 to 1 for every k; not part of the paper."""
        return 1 - self.k * self.quality_loss

    @property
    def schnabel_diversity_normalised(self) -> float:
        """Schnabel's diversity, rescaled to the range from 0 to 1 for every k; not part of the paper."""
        return 1 - self.k * self.diversity_loss

    @property
    def captures(self) -> int:
        """The number of captures by all spheres (C of CAPTURE)."""
        return (self.k + 1) * self.population + self.reached_corpus + self.reached_generated

    @property
    def capture_estimate(self) -> int:
        """The most likely size of the population under CAPTURE's null model."""
        return likeliest_population(self.population, self.captures)

    @property
    def capture(self) -> float:
        """One number for quality and diversity; it is never below :attr:`capture_floor`."""
        return _accuracy(self.population, self.capture_estimate)

    @property
    def capture_floor(self) -> float:
        """CAPTURE's score of two sets of these sizes that have nothing in common."""
        return _accuracy(self.population, likeliest_population(self.population, (self.k + 1) * self.population))


def _accuracy(population: int, estimate: float) -> float:
    """Return one minus the loss of accuracy. The paper prints a maximum, but only the minimum stays between 0 and 1."""
    return 1 - min(abs(estimate - population) / population, 1.0)


def _schnabel_loss(k: int, recaptured: int, reached: int, unmarked: int) -> float:
    """Return the relative error of Schnabel's estimate C·P/(C - U); the order of recapture does not matter,
    because every unmarked sample is missed exactly once.
    """
    captures = (k + 1) * recaptured + reached
    return unmarked / (captures - unmarked)


def log_likelihood(estimate: int, population: int, captures: int) -> float:
    """Compute CAPTURE's log-likelihood of a population size if all of `population` were seen on as many occasions.

    >>> round(log_likelihood(20, 20, 80), 3), round(log_likelihood(21, 20, 80), 3)
    (-157.825, -159.123)
    """
    chances = population * estimate
    if estimate < population or chances < captures:
        return -math.inf
    distinct = math.lgamma(estimate + 1) - math.lgamma(estimate - population + 1)
    return distinct + _entropic(captures) + _entropic(chances - captures) - _entropic(chances)


def _entropic(value: float) -> float:
    return value * math.log(value) if value else 0.0


def likeliest_population(population: int, captures: int) -> int:
    """Find the integer that maximises :func:`log_likelihood`, which has one peak, in O(log n) steps by halving."""
    low, step = population, 1
    while _gain(low + step, population, captures) > 0:
        low, step = low + step, 2 * step
    high = low + step
    if _gain(low, population, captures) <= 0:
        return low
    while high - low > 1:  # the likelihood still grows at low, but not at high
        middle = (low + high) // 2
        low, high = (middle, high) if _gain(middle, population, captures) > 0 else (low, middle)
    return high


def _gain(estimate: int, population: int, captures: int) -> float:
    """Compute the difference of the log-likelihood from this estimate to the next, without cancellation."""
    chances = population * estimate
    missed = chances - captures
    slack = missed * math.log1p(population / missed) if missed > 0 else 0.0
    return (
        -math.log1p(-population / (estimate + 1))
        + slack
        - chances * math.log1p(population / chances)
        + population * math.log1p(-captures / (chances + population))
    )
