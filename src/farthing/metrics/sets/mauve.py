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
    runs: Annotated[int, "number of clusterings, whose scores are averaged"] = 5
    seed: Annotated[int, "seed of the clusterings"] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive("mauve", scale=self.scale, points=self.points, runs=self.runs)
        if self.clusters is not None and self.clusters < 2:
            raise SpecError(f"mauve: clusters={self.clusters} must be at least 2")
        if not 0 < self.variance <= 1:
            raise SpecError(f"mauve: variance={self.variance} must be above 0 and at most 1")

    def judge(self, measured: MeasuredSets) -> Verdict:
        """Compute the area for the shares of the clusters, and for smoothed shares as a part."""
        counts = [self._counts(measured, sides) for sides in self._clusterings(measured)]
        smoothed = self._mean_area([one + _SMOOTH for one in counts])
        return Verdict(self._mean_area(counts), {"smoothed": smoothed}, self._notes(measured))

    def _notes(self, measured: MeasuredSets) -> tuple[Note, ...]:
        few = min(len(measured.generated), len(measured.corpus))
        if few >= _FEW:
            return ()
        return (Note("few samples", f"{few} samples are few: compare only scores of sets of this size"),)

    def _clusterings(self, measured: MeasuredSets) -> list[tuple[Indices, Indices]]:
        """Return the cluster of every generated and every corpus sample, once per run."""
        both = reduced(np.concatenate([measured.generated, measured.corpus]), self.variance)
        seeds = np.random.SeedSequence(self.seed).spawn(self.runs)
        labels = [cluster(both, self._size(measured), np.random.default_rng(seed)) for seed in seeds]
        return [(one[: len(measured.generated)], one[len(measured.generated) :]) for one in labels]

    def _size(self, measured: MeasuredSets) -> int:
        smaller = min(len(measured.generated), len(measured.corpus))
        return self.clusters or max(2, round(smaller / 10))

    def _counts(self, measured: MeasuredSets, sides: Sequence[Indices]) -> Floats:
        return np.array([np.bincount(labels, minlength=self._size(measured)) for labels in sides], dtype=np.float64)

    def _mean_area(self, counts: Sequence[Floats]) -> float:
        shares = [one / one.sum(axis=1, keepdims=True) for one in counts]
        return float(np.mean([mauve_area(one[0], one[1], self.scale, self.points) for one in shares]))

    def resampled(self, measured: MeasuredSets, samples: int, seed: int) -> Segments:
        """Resample the samples within the clusters of the whole sets; the scores are shifted to the score itself."""
        clusterings = self._clusterings(measured)
        whole = self._mean_area([self._counts(measured, sides) for sides in clusterings])
        random = np.random.default_rng(seed)
        areas = []
        for _ in range(samples):
            rows = [random.integers(len(one), size=len(one)) for one in (measured.generated, measured.corpus)]
            drawn = [[side[row] for side, row in zip(sides, rows, strict=True)] for sides in clusterings]
            areas.append(self._mean_area([self._counts(measured, sides) for sides in drawn]))
        return moved(np.array(areas), whole, highest=1.0)


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
    """Compute the area under the divergence curve of two distributions.

    One end of the curve is (0, 1), the other (1, 0). Each point between them belongs to a mixture, and no coordinate
    turns around on the way, so the trapezoids are summed in the order of the mixtures.

    >>> mauve_area(np.array([0.5, 0.5]), np.array([0.5, 0.5]), 5.0, 25)
    1.0
    """
    weights = np.linspace(_EDGE, 1 - _EDGE, points)[:, None]
    mixed = weights * generated + (1 - weights) * corpus
    across, up = (np.exp(-scale * _divergences(shares, mixed)) for shares in (generated, corpus))
    across, up = np.concatenate([[0.0], across, [1.0]]), np.concatenate([[1.0], up, [0.0]])
    return float((np.diff(across) * (up[1:] + up[:-1]) / 2).sum())


def _divergences(shares: Floats, mixed: Floats) -> Floats:
    """Compute the Kullback-Leibler divergence of a distribution from each of its mixtures with another one."""
    held = shares > 0
    divergences: Floats = (shares[held] * np.log(shares[held] / mixed[:, held])).sum(axis=1)
    return divergences
