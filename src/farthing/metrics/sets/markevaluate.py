"""Mark-Evaluate: quality and diversity of a whole set, by the methods that estimate the size of a population."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from farthing.core.arrays import Segments
from farthing.core.errors import SpecError
from farthing.core.metric import check_positive
from farthing.core.types import MetricInfo, Note, Part
from farthing.metrics.sets.base import MeasuredSets, VectorSetMetric, Verdict, harmonic_mean
from farthing.metrics.sets.bootstrap import resampled_sums
from farthing.metrics.sets.populations import Census

SCORES = ("petersen", "schnabel_quality", "schnabel_diversity", "capture")
_MORE = ("schnabel_quality_normalised", "schnabel_diversity_normalised")
_ESTIMATES = (
    "population",
    "petersen_estimate",
    "schnabel_quality_estimate",
    "schnabel_diversity_estimate",
    "capture_estimate",
)
_COUNTS = (
    "covered_generated",
    "covered_corpus",
    "reached_corpus",
    "reached_generated",
    "unmarked_generated",
    "unmarked_corpus",
)


@dataclass(kw_only=True, eq=False)
class MarkEvaluate(VectorSetMetric):
    """Petersen, Schnabel (quality and diversity) and CAPTURE.

    The default k is 1: only then do Schnabel's scores use the whole range from 0 to 1 (they are at least 1 - 1/k), and
    only then does CAPTURE, whose loss shrinks like exp(-k), discriminate well.
    """

    about = MetricInfo(
        name="markevaluate",
        summary="Quality and diversity of a set by population estimation: Petersen, Schnabel, CAPTURE.",
        paper="Mordido and Meinel 2020, https://aclanthology.org/2020.coling-main.174",
        range=(0, 1),
        level="set",
        shown=SCORES,
    )

    k: Annotated[
        int | list[int], "spheres reach to the k-th nearest neighbour; the first of several k gives the score"
    ] = 1
    part: Annotated[
        Literal["schnabel", "petersen", "schnabel_quality", "schnabel_diversity", "capture"],
        "the part that is the score; schnabel is the harmonic mean of its quality and diversity",
    ] = "schnabel"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.ks or len(set(self.ks)) < len(self.ks):
            raise SpecError(f"markevaluate: k={list(self.ks)} must be one number or several different ones")
        for each in self.ks:
            check_positive("markevaluate", k=each)
        self.k = self.ks[0] if len(self.ks) == 1 else list(self.ks)

    @property
    def ks(self) -> tuple[int, ...]:
        """Every k; the first gives the score."""
        return (self.k,) if isinstance(self.k, int) else tuple(self.k)

    def judge(self, measured: MeasuredSets) -> Verdict:
        """Compute the scores of every k; the names of parts end in `_k3` and the like for all but the first k."""
        censuses = [_census(measured, k) for k in self.ks]
        parts: dict[str, Part] = {}
        for counted in censuses:
            mark = "" if counted.k == self.ks[0] else f"_k{counted.k}"
            names = (*SCORES, *_MORE, *(() if mark else _COUNTS), *_ESTIMATES)
            values = {name: float(getattr(counted, name)) for name in names}
            parts |= {f"{name}{mark}": value for name, value in values.items() if math.isfinite(value)}
        return Verdict(self._score(censuses[0]), parts, tuple(_warnings(censuses[0])))

    def _score(self, counted: Census) -> float:
        if self.part == "schnabel":
            return harmonic_mean(counted.schnabel_quality, counted.schnabel_diversity)
        return float(getattr(counted, self.part))

    def resampled(self, measured: MeasuredSets, samples: int, seed: int) -> Segments:
        """Resample which samples are counted, with the spheres of the whole sets (samples drawn twice have none)."""
        generated, corpus = measured.coverage(self.ks[0])
        mine = resampled_sums(generated, samples, seed, "generated").astype(np.int64).tolist()
        theirs = resampled_sums(corpus, samples, seed, "corpus").astype(np.int64).tolist()
        sizes = (self.ks[0], len(corpus), len(generated))
        return np.array([self._score(Census(*sizes, a, b, x, y)) for (a, x), (b, y) in zip(mine, theirs, strict=True)])


def _census(measured: MeasuredSets, k: int) -> Census:
    """Count the captures of two sets at one k."""
    generated, corpus = measured.coverage(k)
    (a, x), (b, y) = generated.sum(axis=0).tolist(), corpus.sum(axis=0).tolist()
    return Census(k, len(corpus), len(generated), a, b, x, y)


def _warnings(counted: Census) -> Iterator[Note]:
    """Yield a note for every score that lies in a region where it says little."""
    if not counted.covered_generated + counted.covered_corpus:
        yield Note("disjoint", "no sample of either set lies near the other set: petersen has no finite estimate")
    whole, other = not counted.unmarked_generated, not counted.unmarked_corpus
    if whole != other:
        yield Note("petersen", "petersen is 1 because one set is covered whole, however much the other lacks")
    if whole and other and counted.capture < 1:
        yield Note("capture", "capture stays below 1 even for sets that cover each other whole")
    if counted.capture - counted.capture_floor < 0.1 * (1 - counted.capture_floor):
        yield Note(
            "capture", f"capture is at its floor: sets of these sizes never get less than {counted.capture_floor:.3f}"
        )
    lowest = min(counted.schnabel_quality, counted.schnabel_diversity)
    if counted.k > 1 and counted.k * (1 - lowest) > 0.9:
        yield Note("schnabel", f"schnabel is at its floor, which is {1 - 1 / counted.k:.3f} at k = {counted.k}")
