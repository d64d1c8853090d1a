"""Improved precision and recall: how much of each set lies in the neighbourhoods of the other?"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from farthing.core.metric import check_positive
from farthing.core.specs import Value
from farthing.core.types import MetricInfo
from farthing.metrics.sets.base import Measured, SetScorer, Verdict, harmonic_mean, resampled_sums
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


class Impar(SetScorer):
    """Improved precision (quality) and recall (diversity); the score is their harmonic mean."""

    about = MetricInfo(
        name="impar",
        summary="Improved precision and recall of a set: the share in the other set's neighbourhoods.",
        paper="Kynkäänniemi et al. 2019, https://arxiv.org/abs/1904.06991",
        range=(0, 1),
        level="set",
        shown=("precision", "recall"),
    )

    def __init__(
        self,
        *,
        k: Annotated[int, "the neighbour to which a sample's sphere reaches"] = 3,
        model: Model = SENTENCE_MODEL,
        samples: Kind = "sentence",
        pooling: Pooling = "mean",
        normalise: Normalise = True,
        layers: Layers = 5,
        sample: Sample = 0,
        repeats: Repeats = 5,
    ) -> None:
        check_positive("impar", k=k)
        super().__init__(Source(model, samples, pooling, normalise, layers, sample, repeats))
        self.k = k
        self.ks = (k,)

    def judge(self, measured: Measured) -> Verdict:
        """Precision is the share of generated samples in any corpus sphere, recall the reverse."""
        generated, corpus = measured.sides(self.k)
        precision, recall = float(generated[:, 0].mean()), float(corpus[:, 0].mean())
        return Verdict(harmonic_mean(precision, recall), {"precision": precision, "recall": recall})

    def resampled(self, measured: Measured, samples: int, seed: int) -> np.ndarray:
        """Resample which samples are counted; the spheres stay."""
        generated, corpus = measured.sides(self.k)
        precision = resampled_sums(generated[:, :1], samples, seed, "generated")[:, 0] / len(generated)
        recall = resampled_sums(corpus[:, :1], samples, seed, "corpus")[:, 0] / len(corpus)
        return np.array([harmonic_mean(p, r) for p, r in zip(precision, recall, strict=True)])

    def fields(self) -> dict[str, Value]:
        """The options that move the number."""
        return {"k": self.k}
