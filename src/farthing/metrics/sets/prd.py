"""Precision and recall for distributions: how two sets fill the same clusters."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from farthing.core.errors import SpecError
from farthing.core.metric import check_positive
from farthing.core.specs import Value
from farthing.core.types import MetricInfo, Note
from farthing.metrics.sets.base import Measured, SetScorer, Verdict, harmonic_mean, moved
from farthing.metrics.sets.samples import (
    SENTENCE_MODEL,
    Kind,
    Layers,
    Model,
    Normalise,
    Pooling,
    Repeats,
    Sample,
    Source,
)
from farthing.neighbours.clusters import cluster

ANGLES = 1001  # slopes at which the curve is taken, as in the paper
_EDGE = 1e-10  # keeps the slopes off 0 and infinity, and sums off 0
_BETA = 8.0
_PER_CLUSTER = 10  # with fewer samples a cluster of each set, equal sets no longer look equal


def prd_curve(generated: np.ndarray, corpus: np.ndarray, angles: int = ANGLES) -> tuple[np.ndarray, np.ndarray]:
    """Precision and recall at every slope, from the shares of the clusters in each set (last axis).

    >>> precision, recall = prd_curve(np.array([1.0, 0.0]), np.array([0.5, 0.5]))
    >>> round(float(precision.max()), 6), round(float(recall.max()), 6)
    (1.0, 0.5)
    """
    slopes = np.tan(np.linspace(_EDGE, np.pi / 2 - _EDGE, angles))
    precision = np.minimum(slopes[:, None] * corpus[..., None, :], generated[..., None, :]).sum(axis=-1)
    return np.clip(precision, 0, 1), np.clip(precision / slopes, 0, 1)


def f_score(precision: np.ndarray, recall: np.ndarray, beta: float) -> np.ndarray:
    """The best F-score on a curve: a large beta weighs recall, a small one precision."""
    values = (1 + beta**2) * precision * recall / (beta**2 * precision + recall + _EDGE)
    best: np.ndarray = values.max(axis=-1)
    return best


class Prd(SetScorer):
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

    def __init__(
        self,
        *,
        clusters: Annotated[int, "clusters of both sets together"] = 20,
        runs: Annotated[int, "clusterings whose curves are averaged"] = 10,
        seed: Annotated[int, "seed of the clusterings"] = 0,
        model: Model = SENTENCE_MODEL,
        samples: Kind = "sentence",
        pooling: Pooling = "mean",
        normalise: Normalise = True,
        layers: Layers = 5,
        sample: Sample = 0,
        repeats: Repeats = 5,
    ) -> None:
        check_positive("prd", runs=runs)
        if clusters < 2:
            raise SpecError(f"prd: clusters={clusters} must be at least 2")
        super().__init__(Source(model, samples, pooling, normalise, layers, sample, repeats))
        self.clusters, self.runs, self.seed = clusters, runs, seed

    def judge(self, measured: Measured) -> Verdict:
        """The F-scores of the average curve."""
        generated, corpus = self._assigned(measured)
        precision, recall = self._scores(self._shares(generated), self._shares(corpus))
        return Verdict(
            harmonic_mean(precision, recall), {"precision": precision, "recall": recall}, self._notes(measured)
        )

    def _notes(self, measured: Measured) -> tuple[Note, ...]:
        few = min(len(measured.generated), len(measured.corpus))
        if few >= _PER_CLUSTER * self.clusters:
            return ()
        message = f"{few} samples are few for {self.clusters} clusters: the scores are too low, and unsteady"
        return (Note("few samples", message),)

    def _assigned(self, measured: Measured) -> tuple[np.ndarray, np.ndarray]:
        """The cluster of every sample, a row for each run."""
        both = np.concatenate([measured.generated, measured.corpus])
        seeds = np.random.SeedSequence(self.seed).spawn(self.runs)
        labels = np.stack([cluster(both, self.clusters, np.random.default_rng(seed)) for seed in seeds])
        return labels[:, : len(measured.generated)], labels[:, len(measured.generated) :]

    def _shares(self, labels: np.ndarray) -> np.ndarray:
        counts = np.stack([np.bincount(row, minlength=self.clusters) for row in labels])
        shares: np.ndarray = counts / labels.shape[1]
        return shares

    def _scores(self, generated: np.ndarray, corpus: np.ndarray) -> tuple[float, float]:
        precision, recall = (curve.mean(axis=0) for curve in prd_curve(generated, corpus))
        return float(f_score(precision, recall, 1 / _BETA)), float(f_score(precision, recall, _BETA))

    def resampled(self, measured: Measured, samples: int, seed: int) -> np.ndarray:
        """Resample the samples; the clusters stay. The scores are moved to the score itself."""
        generated, corpus = self._assigned(measured)
        random = np.random.default_rng(seed)
        found = []
        for _ in range(samples):
            drawn = [
                labels[:, random.integers(labels.shape[1], size=labels.shape[1])] for labels in (generated, corpus)
            ]
            found.append(harmonic_mean(*self._scores(self._shares(drawn[0]), self._shares(drawn[1]))))
        return moved(np.array(found), self.judge(measured).corpus, highest=1.0)

    def fields(self) -> dict[str, Value]:
        """The options that move the number."""
        return {"clusters": self.clusters, "runs": self.runs, "seed": self.seed}
