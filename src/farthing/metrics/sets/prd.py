"""Precision and recall for distributions: how two sets fill the same clusters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from farthing.core.arrays import Floats, Indices, Segments
from farthing.core.errors import SpecError
from farthing.core.metric import check_positive
from farthing.core.types import MetricInfo, Note
from farthing.metrics.sets.base import MeasuredSets, VectorSetMetric, Verdict, harmonic_mean
from farthing.metrics.sets.bootstrap import generators, moved
from farthing.neighbours.clusters import cluster

ANGLES = 1001  # how many slopes the curve is computed at, as in the paper
_EDGE = 1e-10  # keeps the slopes away from 0 and infinity, and sums away from 0
_BETA = 8.0
_PER_CLUSTER = 10  # with fewer samples per cluster, equal sets no longer look equal


def prd_curve(generated: Floats, corpus: Floats, angles: int = ANGLES) -> tuple[Floats, Floats]:
    """Compute precision and recall at every slope from the shares of the clusters (last axis) in each set.

    >>> precision, recall = prd_curve(np.array([1.0, 0.0]), np.array([0.5, 0.5]))
    >>> round(float(precision.max()), 6), round(float(recall.max()), 6)
    (1.0, 0.5)
    """
    slopes = np.tan(np.linspace(_EDGE, np.pi / 2 - _EDGE, angles))
    precision = np.minimum(slopes[:, None] * corpus[..., None, :], generated[..., None, :]).sum(axis=-1)
    return np.clip(precision, 0, 1), np.clip(precision / slopes, 0, 1)


def f_score(precision: Floats, recall: Floats, beta: float) -> Floats:
    """Return the best F-score on a curve; a large beta favours recall, a small one precision."""
    values = (1 + beta**2) * precision * recall / (beta**2 * precision + recall + _EDGE)
    best: Floats = values.max(axis=-1)
    return best


@dataclass(kw_only=True, eq=False)
class Prd(VectorSetMetric):
    """Precision (F at 1/8) and recall (F at 8) for distributions; the score is their harmonic mean."""

    about = MetricInfo(
        name="prd",
        summary="Precision and recall for distributions: how two sets fill the same clusters.",
        paper="Sajjadi et al. 2018, https://arxiv.org/abs/1806.00035",
        range=(0, 1),
        level="set",
        shown=("precision", "recall"),
    )
    resamples = 200

    clusters: Annotated[int, "number of clusters of both sets together"] = 20
    runs: Annotated[int, "number of clusterings, whose curves are averaged"] = 10
    seed: Annotated[int, "seed of the clusterings"] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive("prd", runs=self.runs)
        if self.clusters < 2:
            raise SpecError(f"prd: clusters={self.clusters} must be at least 2")

    def judge(self, measured: MeasuredSets) -> Verdict:
        """Compute the F-scores of the average curve."""
        generated, corpus = self._assigned(measured)
        precision, recall = self._scores(self._shares(generated), self._shares(corpus))
        return Verdict(
            harmonic_mean(precision, recall), {"precision": precision, "recall": recall}, self._notes(measured)
        )

    def _notes(self, measured: MeasuredSets) -> tuple[Note, ...]:
        few = min(len(measured.generated), len(measured.corpus))
        if few >= _PER_CLUSTER * self.clusters:
            return ()
        message = f"{few} samples are few for {self.clusters} clusters: the scores are too low and unstable"
        return (Note("few samples", message),)

    def _assigned(self, measured: MeasuredSets) -> tuple[Indices, Indices]:
        """Return the cluster of every sample, one row per run."""
        both = np.concatenate([measured.generated, measured.corpus])
        seeds = np.random.SeedSequence(self.seed).spawn(self.runs)
        labels = np.stack([cluster(both, self.clusters, np.random.default_rng(seed)) for seed in seeds])
        return labels[:, : len(measured.generated)], labels[:, len(measured.generated) :]

    def _shares(self, labels: Indices) -> Floats:
        counts = np.stack([np.bincount(row, minlength=self.clusters) for row in labels])
        shares: Floats = counts / labels.shape[1]
        return shares

    def _scores(self, generated: Floats, corpus: Floats) -> tuple[float, float]:
        precision, recall = (curve.mean(axis=0) for curve in prd_curve(generated, corpus))
        return float(f_score(precision, recall, 1 / _BETA)), float(f_score(precision, recall, _BETA))

    def resampled(self, measured: MeasuredSets, samples: int, seed: int) -> Segments:
        """Resample the samples within the clusters of the whole sets; the scores are shifted to the score itself."""
        generated, corpus = self._assigned(measured)
        randoms = generators(seed)
        scores = []
        for _ in range(samples):
            drawn = [
                labels[:, random.integers(labels.shape[1], size=labels.shape[1])]
                for labels, random in zip((generated, corpus), randoms, strict=True)
            ]
            scores.append(harmonic_mean(*self._scores(self._shares(drawn[0]), self._shares(drawn[1]))))
        return moved(np.array(scores), self.judge(measured).corpus, highest=1.0)
