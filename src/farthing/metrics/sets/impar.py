"""Improved precision and recall: the share of each set that lies in the neighbourhoods of the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from farthing.core.arrays import Segments
from farthing.core.metric import check_positive
from farthing.core.types import MetricInfo
from farthing.metrics.sets.base import MeasuredSets, VectorSetMetric, Verdict, harmonic_mean
from farthing.metrics.sets.bootstrap import resampled_sums


@dataclass(kw_only=True, eq=False)
class Impar(VectorSetMetric):
    """Improved precision (quality) and recall (diversity); the score is their harmonic mean."""

    about = MetricInfo(
        name="impar",
        summary="Improved precision and recall of a set: the share in the other set's neighbourhoods.",
        paper="Kynkäänniemi et al. 2019, https://arxiv.org/abs/1904.06991",
        range=(0, 1),
        level="set",
        shown=("precision", "recall"),
    )

    k: Annotated[int, "the sphere of a sample reaches to its k-th nearest neighbour"] = 3

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive("impar", k=self.k)

    @property
    def ks(self) -> tuple[int, ...]:
        """The only k."""
        return (self.k,)

    def judge(self, measured: MeasuredSets) -> Verdict:
        """Precision is the share of generated samples in any sphere of the corpus; recall is the reverse."""
        generated, corpus = measured.coverage(self.k)
        precision, recall = float(generated[:, 0].mean()), float(corpus[:, 0].mean())
        return Verdict(harmonic_mean(precision, recall), {"precision": precision, "recall": recall})

    def resampled(self, measured: MeasuredSets, samples: int, seed: int) -> Segments:
        """Resample which samples are counted, with the spheres of the whole sets."""
        generated, corpus = measured.coverage(self.k)
        precision = resampled_sums(generated[:, :1], samples, seed, "generated")[:, 0] / len(generated)
        recall = resampled_sums(corpus[:, :1], samples, seed, "corpus")[:, 0] / len(corpus)
        return np.array([harmonic_mean(p, r) for p, r in zip(precision, recall, strict=True)])
