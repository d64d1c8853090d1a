"""MAUVE: the area under the curve of divergences between two sets and their mixtures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from farthing.core.arrays import Floats, Indices, Segments, Vectors
from farthing.core.errors import SpecError
from farthing.core.metric import check_positive
from farthing.core.types import MetricInfo, Note
from farthing.metrics.sets.base import MeasuredSets, VectorSetMetric, Verdict
from farthing.metrics.sets.bootstrap import moved
from farthing.neighbours.clusters import cluster

_EDGE = 1e-6  # keeps the mixtures away from the sets themselves
_SMOOTH = 0.5  # what MAUVE* adds to every cluster's count (Krichevsky and Trofimov)
_FEW = 1000  # with fewer samples the number of clusters, a tenth of them, is too small to tell sets apart


@dataclass(kw_only=True, eq=False)
class Mauve(VectorSetMetric):
    """How near two distributions over clusters are, from 0 to 1 for equal ones (Pillutla et al. 2021)."""

    about = MetricInfo(
        name="mauve",
        summary="Divergences of two sets from their mixtures, as the area under a curve.",
        paper="Pillutla et al. 2021, https://arxiv.org/abs/2102.01454; 2023, https://jmlr.org/papers/v24/23-0023.html",
        range=(0, 1),
        level="set",
        shown=("smoothed",),
    )
    resamples = 200

    clusters: Annotated[int | None, "number of clusters; else a tenth of the smaller set, at least 2"] = None
    variance: Annotated[float, "share of the variance that the axes before clustering keep"] = 0.9
    scale: Annotated[float, "factor of the divergences"] = 5.0
    points: Annotated[int, "mixtures on the curve"] = 25
    seed: Annotated[int, "seed of the clustering"] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive("mauve", scale=self.scale, points=self.points)
        if self.clusters is not None and self.clusters < 2:
            raise SpecError(f"mauve: clusters={self.clusters} must be at least 2")
        if not 0 < self.variance <= 1:
            raise SpecError(f"mauve: variance={self.variance} must be above 0 and at most 1")

    def judge(self, measured: MeasuredSets) -> Verdict:
        """Compute the area for the shares of the clusters, and for smoothed shares as a part."""
        counts = self._counts(measured, self._assigned(measured))
        smoothed = self._area(counts + _SMOOTH)
        return Verdict(self._area(counts), {"smoothed": smoothed}, self._notes(measured))

    def _notes(self, measured: MeasuredSets) -> tuple[Note, ...]:
        few = min(len(measured.generated), len(measured.corpus))
        if few >= _FEW:
            return ()
        return (Note("few samples", f"{few} samples are few: compare only scores of sets of this size"),)

    def _assigned(self, measured: MeasuredSets) -> tuple[Indices, Indices]:
        """Return the cluster of every generated and every corpus sample."""
        both = np.concatenate([measured.generated, measured.corpus])
        labels = cluster(reduced(both, self.variance), self._size(measured), np.random.default_rng(self.seed))
        return labels[: len(measured.generated)], labels[len(measured.generated) :]

    def _size(self, measured: MeasuredSets) -> int:
        smaller = min(len(measured.generated), len(measured.corpus))
        return self.clusters or max(2, round(smaller / 10))

    def _counts(self, measured: MeasuredSets, sides: Sequence[Indices]) -> Floats:
        return np.array([np.bincount(labels, minlength=self._size(measured)) for labels in sides], dtype=np.float64)

    def _area(self, counts: Floats) -> float:
        generated, corpus = counts / counts.sum(axis=1, keepdims=True)
        return mauve_area(generated, corpus, self.scale, self.points)

    def resampled(self, measured: MeasuredSets, samples: int, seed: int) -> Segments:
        """Resample the samples within the clusters of the whole sets; the scores are shifted to the score itself."""
        sides = self._assigned(measured)
        random = np.random.default_rng(seed)
        draws = ([side[random.integers(len(side), size=len(side))] for side in sides] for _ in range(samples))
        areas = np.array([self._area(self._counts(measured, drawn)) for drawn in draws])
        return moved(areas, self._area(self._counts(measured, sides)), highest=1.0)


def reduced(vectors: Vectors, variance: float) -> Vectors:
    """Scale vectors to length 1, and keep the fewest principal axes that hold this share of the variance."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors / np.where(lengths > 0, lengths, 1)
    centred = (unit - unit.mean(axis=0)).astype(np.float64)
    values, axes = np.linalg.eigh(centred.T @ centred)
    values, axes = np.clip(values[::-1], 0, None), axes[:, ::-1]
    enough = np.cumsum(values) >= variance * values.sum() * (1 - 1e-12)
    kept: Vectors = centred @ axes[:, : int(enough.argmax()) + 1]
    return kept


def mauve_area(generated: Floats, corpus: Floats, scale: float, points: int) -> float:
    """Compute the area under the divergence curve of two distributions, as the mean of both orders of the axes.

    >>> round(mauve_area(np.array([0.5, 0.5]), np.array([0.5, 0.5]), 5.0, 25), 6)
    1.0
    """
    weights = np.linspace(_EDGE, 1 - _EDGE, points)[:, None]
    mixed = weights * generated + (1 - weights) * corpus
    curve = np.exp(-scale * np.array([_divergences(corpus, mixed), _divergences(generated, mixed)]))
    left, right = np.column_stack([[1.0, 0.0], curve[:, ::-1], [0.0, 1.0]])
    return float((_under(left, right) + _under(right, left)) / 2)


def _divergences(shares: Floats, mixed: Floats) -> Floats:
    """Compute the Kullback-Leibler divergence of a distribution from each mixture, which is 0 nowhere that it is not."""
    held = shares > 0
    divergences: Floats = (shares[held] * np.log(shares[held] / mixed[:, held])).sum(axis=1)
    return divergences


def _under(across: Floats, up: Floats) -> float:
    """Compute the area under a curve by trapezoids, from its points in any order."""
    order = np.argsort(across, kind="stable")
    across, up = across[order], up[order]
    return float((np.diff(across) * (up[1:] + up[:-1]) / 2).sum())
