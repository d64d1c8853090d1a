"""The Fréchet distance of two sets, each described by a normal distribution (FID, FBD, FED …)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from farthing.core.arrays import Matrix, Segments, Vectors, Weights
from farthing.core.types import MetricInfo, Note
from farthing.metrics.sets.base import MeasuredSets, VectorSetMetric, Verdict
from farthing.metrics.sets.bootstrap import generators, moved


@dataclass(frozen=True, slots=True)
class Normal:
    """A mean and a covariance.

    :param shrinkage: how far the covariance was shrunk towards a multiple of the identity, from 0 to 1
    """

    mean: Vectors
    covariance: Matrix
    shrinkage: float = 0.0

    @classmethod
    def of(cls, vectors: Vectors, weights: Weights | None = None, *, shrink: bool = True) -> Normal:
        """Estimate the moments of a set.

        :param shrink: shrink the covariance by the formula of Ledoit and Wolf (2004), less and less with more samples
        """
        vectors = vectors.astype(np.float64)
        weights = np.ones(len(vectors)) if weights is None else weights
        mean = weights @ vectors / weights.sum()
        centred = (vectors - mean) * np.sqrt(weights)[:, None]
        covariance = centred.T @ centred / (weights.sum() - 1)
        if not shrink:
            return cls(mean, covariance)
        shrinkage = ledoit_wolf(vectors - mean, weights)
        scale = np.trace(covariance) / len(covariance)
        return cls(mean, (1 - shrinkage) * covariance + shrinkage * scale * np.eye(len(covariance)), shrinkage)


def ledoit_wolf(centred: Vectors, weights: Weights) -> float:
    """Return how far to shrink the covariance of centred rows towards the identity (Ledoit and Wolf 2004).

    :param weights: how often each row counts
    """
    count, dimensions = weights.sum(), centred.shape[1]
    covariance = (centred.T * weights) @ centred / count
    scale = np.trace(covariance) / dimensions
    spread = np.square(covariance).sum() / dimensions - scale**2
    fourth = weights @ np.square(np.square(centred).sum(axis=1)) / count
    noise = (fourth - np.square(covariance).sum()) / dimensions
    return float(min(noise / count, spread) / spread) if spread > 0 else 0.0


def frechet_distance(first: Normal, second: Normal) -> float:
    """Compute the squared Fréchet distance of two normal distributions.

    The trace of the root of a product of covariances is that of the root of the symmetric product A^½ B A^½. Its
    eigenvalues are real, so there is no imaginary part to drop and no jitter to add.

    >>> frechet_distance(Normal(np.zeros(1), np.eye(1)), Normal(np.ones(1), 4 * np.eye(1)))
    2.0
    """
    values, directions = np.linalg.eigh(first.covariance)
    root = (directions * np.sqrt(np.clip(values, 0, None))) @ directions.T
    product = np.linalg.eigvalsh(root @ second.covariance @ root)
    shared = np.sqrt(np.clip(product, 0, None)).sum()
    apart = np.square(first.mean - second.mean).sum()
    # A negative value can only come from rounding.
    return max(0.0, float(apart + np.trace(first.covariance) + np.trace(second.covariance) - 2 * shared))


@dataclass(kw_only=True, eq=False)
class Fid(VectorSetMetric):
    """The squared Fréchet distance of the two sets' vectors. Lower is better."""

    about = MetricInfo(
        name="fid",
        summary="Fréchet distance of the sets' vectors, as normal distributions.",
        paper="Heusel et al. 2017, https://arxiv.org/abs/1706.08500; Semeniuta et al. 2018 for text",
        range=(0, None),
        higher_is_better=False,
        level="set",
    )
    resamples = 100  # each needs the roots of two matrices
    shrink: Annotated[
        bool, "shrink the covariances, so that the distance depends less on the number of samples; false: textbook"
    ] = True

    def judge(self, measured: MeasuredSets) -> Verdict:
        """Compute the distance, and the part of it that comes from the means."""
        generated, corpus = self._normal(measured.generated), self._normal(measured.corpus)
        means = float(np.square(generated.mean - corpus.mean).sum())
        described = (("generated set", measured.generated, generated), ("corpus", measured.corpus, corpus))
        notes = tuple(_few(*one) for one in described if len(one[1]) <= one[1].shape[1])
        return Verdict(frechet_distance(corpus, generated), {"means": means}, notes)

    def resampled(self, measured: MeasuredSets, samples: int, seed: int) -> Segments:
        """Compute the distances of resampled sets, shifted to the distance itself."""
        random = generators(seed)
        distances = np.array([self._redrawn(measured, *random) for _ in range(samples)])
        return moved(distances, self.judge(measured).corpus)

    def _redrawn(self, measured: MeasuredSets, generated: np.random.Generator, corpus: np.random.Generator) -> float:
        counts = [
            np.bincount(random.integers(len(vectors), size=len(vectors)), minlength=len(vectors)).astype(np.float64)
            for vectors, random in ((measured.corpus, corpus), (measured.generated, generated))
        ]
        return frechet_distance(self._normal(measured.corpus, counts[0]), self._normal(measured.generated, counts[1]))

    def _normal(self, vectors: Vectors, weights: Weights | None = None) -> Normal:
        return Normal.of(vectors, weights, shrink=self.shrink)


def _few(name: str, vectors: Vectors, normal: Normal) -> Note:
    """Say that a set has no more samples than dimensions, and what became of its covariance."""
    sizes = f"the {name} has no more samples than dimensions ({len(vectors)} and {vectors.shape[1]})"
    if normal.shrinkage:
        return Note("shrunk", f"{sizes}: its covariance is shrunk by {normal.shrinkage:.3f} towards the identity")
    return Note("singular", f"{sizes}: its covariance is singular, and the distance far too large")
