"""What metrics of whole sets share: their options, one encoding and one search of neighbours for all of them.

A new metric is a dataclass with `about`, its own options as fields, `judge` and `resampled`; a metric that looks at the
neighbours of samples says in `ks` which:

    @dataclass(kw_only=True, eq=False)
    class Mine(VectorSetMetric):
        about = MetricInfo(name="mine", ..., level="set")
        scale: Annotated[float, "a factor"] = 1.0
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import fields as dataclass_fields
from typing import ClassVar

import numpy as np

from farthing.core.arrays import Indices, Segments, Vectors
from farthing.core.metric import SetMetric, check_sets
from farthing.core.progress import Bar, no_bar
from farthing.core.signature import Signature
from farthing.core.specs import Value
from farthing.core.types import Note, Part, Scores, Sets, TextsOrVectors
from farthing.metrics.sets.bootstrap import percentile_interval
from farthing.metrics.sets.samples import SampleOptions, Samples, check_together, default_encoder, gather, is_vectors
from farthing.neighbours.hyperspheres import Coverage, Spheres, cross, crossing_pairs

SEED = 12345


@dataclass(frozen=True, slots=True)
class MeasuredSets:
    """Two sets of vectors and, for every k that some metric needs, which samples lie in which spheres."""

    generated: Vectors
    corpus: Vectors
    ks: tuple[int, ...] = ()
    generated_coverage: Coverage | None = None
    corpus_coverage: Coverage | None = None

    def coverage(self, k: int) -> tuple[Indices, Indices]:
        """Return for the generated set and for the corpus two columns: is the sample covered, how many it reaches."""
        column = self.ks.index(k)
        generated, corpus = (
            np.column_stack([each.covered[:, column], each.reached[:, column]])
            for each in (self.generated_coverage, self.corpus_coverage)
            if each is not None
        )
        return generated, corpus


@dataclass(frozen=True, slots=True)
class Verdict:
    """The score of two sets, its parts, and notes."""

    corpus: float
    parts: Mapping[str, Part]
    notes: tuple[Note, ...] = ()


@dataclass(kw_only=True, eq=False)
class VectorSetMetric(SampleOptions, SetMetric):
    """A metric that compares two sets of vectors, given or encoded from texts."""

    takes_encoder: ClassVar[bool] = True
    resamples: ClassVar[int] = 1000  #: how many bootstrap samples an interval is computed from

    @classmethod
    def assets(cls, options: Mapping[str, Value]) -> list[str]:
        """Return the encoder that these options choose."""
        return [str(options.get("model") or default_encoder())]

    @property
    def ks(self) -> tuple[int, ...]:
        """The neighbours to which the samples' spheres reach; none if the metric does not look at neighbours."""
        return ()

    def score_sets(self, sets: Sets) -> Scores:
        """Compare a set of generated samples with a corpus."""
        return score_set_systems([self], [sets])[0][0]

    @abstractmethod
    def judge(self, measured: MeasuredSets) -> Verdict:
        """Compute the score of two sets."""

    @abstractmethod
    def resampled(self, measured: MeasuredSets, samples: int, seed: int) -> Segments:
        """Compute the scores of bootstrap samples of both sets."""

    def fields(self) -> dict[str, Value]:
        """Return the metric's own options for the signature, without those that all set metrics share."""
        shared = {each.name for each in dataclass_fields(SampleOptions)}
        return {each.name: getattr(self, each.name) for each in dataclass_fields(self) if each.name not in shared}


def score_set_systems(
    metrics: Sequence[VectorSetMetric],
    systems: Sequence[Sets],
    *,
    intervals: bool = False,
    resamples: int = 0,
    seed: int = SEED,
    threads: int | None = None,
    bar: Bar = no_bar,
) -> list[list[Scores]]:
    """Score every system by every metric: result[metric][system].

    Metrics that compare the same samples share their encoding and one search of neighbours; systems with the same
    corpus share its encoding and its spheres.

    :param intervals: add 95 % bootstrap intervals, and the scores of their samples
    :param resamples: how many samples an interval is computed from; 0 takes each metric's own number
    :param bar: opens a progress bar, given its title and the number of distances
    """
    for metric in metrics:
        for sets in systems:
            check_sets(metric.info, sets)
    scores: dict[tuple[int, int], Scores] = {}
    for places in _shared(metrics, systems):
        study = _Study([metrics[place] for place in places], intervals, resamples, seed, threads, bar)
        for column, sets in enumerate(systems):
            scores |= {(place, column): one for place, one in zip(places, study.scores(sets), strict=True)}
    return [[scores[row, column] for column in range(len(systems))] for row in range(len(metrics))]


def _shared(metrics: Sequence[VectorSetMetric], systems: Sequence[Sets]) -> list[list[int]]:
    """Return the places of metrics that compare the same samples, one list per kind of samples."""
    vectors = all(is_vectors(sets.generated) and is_vectors(sets.corpus) for sets in systems)
    groups: dict[Hashable, list[int]] = {}
    for place, metric in enumerate(metrics):
        groups.setdefault(metric.sharing(vectors=vectors), []).append(place)
    return list(groups.values())


@dataclass(frozen=True, slots=True)
class _Gathered:
    """The samples of one system and of its corpus."""

    generated: Samples
    corpus: Samples
    system: str

    def notes(self) -> tuple[Note, ...]:
        degenerate = _degenerate(self.generated.vectors, self.corpus.vectors)
        return (*self.generated.notes, *self.corpus.notes, *degenerate)

    def scores(
        self, metric: VectorSetMetric, verdict: Verdict, limits: tuple[float, float] | None, **more: Value
    ) -> Scores:
        """Return the scores of a verdict; `more` are further fields of the signature."""
        return Scores(
            corpus=verdict.corpus,
            segments=None,
            signature=Signature(metric.info.name, {**metric.fields(), **self.generated.fields, **more}),
            parts=verdict.parts,
            notes=verdict.notes,
            system=self.system,
            interval=limits,
        )


class _Study:
    """Scores systems by metrics that compare the same samples."""

    def __init__(
        self,
        metrics: Sequence[VectorSetMetric],
        intervals: bool,
        resamples: int,
        seed: int,
        threads: int | None,
        bar: Bar,
    ) -> None:
        self.metrics, self.intervals, self.resamples, self.seed = metrics, intervals, resamples, seed
        self.options: SampleOptions = metrics[0]
        self.threads, self.bar = threads, bar
        self.ks = tuple(sorted({k for metric in metrics for k in metric.ks}))
        self._corpus: tuple[object, Samples] | None = None
        self._spheres: Spheres | None = None

    def scores(self, sets: Sets) -> list[Scores]:
        """Score one system by every metric."""
        corpus = self._kept_corpus(sets)
        gathered = _Gathered(self._gathered(sets.generated, "the generated set"), corpus, sets.system)
        generated = gathered.generated.vectors
        neediest = max(self.metrics, key=lambda metric: max(metric.ks, default=1))
        check_together(generated, corpus.vectors, max(self.ks, default=1), neediest.info.name)
        if 0 < self.options.sample < max(len(generated), len(corpus.vectors)):
            return self._sampled(gathered)
        measured = self._measured(generated, corpus.vectors, keep=True)
        return [self._scored(metric, measured, gathered) for metric in self.metrics]

    def _kept_corpus(self, sets: Sets) -> Samples:
        if self._corpus is None or self._corpus[0] is not sets.corpus:
            self._corpus = (sets.corpus, self._gathered(sets.corpus, "the corpus"))
            self._spheres = None
        return self._corpus[1]

    def _gathered(self, data: TextsOrVectors, what: str) -> Samples:
        return gather(data, self.options, what, threads=self.threads, bar=self.bar)

    def _measured(self, generated: Vectors, corpus: Vectors, *, keep: bool = False) -> MeasuredSets:
        """Find the neighbours in two sets; `keep` reuses the spheres of the corpus for the next system."""
        if not self.ks:
            return MeasuredSets(generated, corpus)
        real = self._spheres if keep else None
        total = crossing_pairs(len(generated), len(corpus), with_corpus=real is None)
        with self.bar("neighbours", total) as progress:
            real = real or Spheres.of(corpus, self.ks, threads=self.threads, progress=progress)
            fake = Spheres.of(generated, self.ks, threads=self.threads, progress=progress)
            of_corpus, of_generated = cross(real, fake, threads=self.threads, progress=progress)
        self._spheres = real if keep else None
        return MeasuredSets(generated, corpus, self.ks, of_generated, of_corpus)

    def _scored(self, metric: VectorSetMetric, measured: MeasuredSets, gathered: _Gathered) -> Scores:
        verdict = metric.judge(measured)
        noted = Verdict(verdict.corpus, verdict.parts, (*gathered.notes(), *verdict.notes))
        if not self.intervals:
            return gathered.scores(metric, noted, None)
        draws = metric.resampled(measured, self.resamples or metric.resamples, self.seed)
        return replace(gathered.scores(metric, noted, percentile_interval(draws)), draws=draws)

    def _sampled(self, gathered: _Gathered) -> list[Scores]:
        """Average the scores of random samples of both sets, with the interval of the mean."""
        whole = (gathered.generated.vectors, gathered.corpus.vectors)
        size, repeats = self.options.sample, self.options.repeats
        draws = []
        for turn in range(repeats):
            random = np.random.default_rng([self.seed, turn])
            measured = self._measured(*[_drawn(vectors, size, random) for vectors in whole])
            draws.append([metric.judge(measured) for metric in self.metrics])
        scores = []
        for metric, verdicts in zip(self.metrics, zip(*draws, strict=True), strict=True):
            limits = mean_interval([verdict.corpus for verdict in verdicts])
            mean = _mean(verdicts, _sampling_note(self.options, whole, limits), gathered.notes())
            scores.append(gathered.scores(metric, mean, limits, sample=size, repeats=repeats))
        return scores


def _drawn(vectors: Vectors, count: int, random: np.random.Generator) -> Vectors:
    if count >= len(vectors):
        return vectors
    drawn: Vectors = vectors[np.sort(random.choice(len(vectors), count, replace=False))]
    return drawn


def mean_interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % interval of a mean, by Student's t distribution."""
    from scipy.stats import t

    scores = np.array(values)
    mean = float(scores.mean())
    reach = float(t.ppf(0.975, len(scores) - 1) * scores.std(ddof=1) / np.sqrt(len(scores)))
    return mean - reach, mean + reach


def _sampling_note(options: SampleOptions, whole: Sequence[Vectors], limits: tuple[float, float]) -> Note:
    generated, corpus = map(len, whole)
    message = (
        f"the mean of {options.repeats} random samples of {options.sample} of the {generated} generated and {corpus} "
        f"corpus samples; the 95 % interval is that of the score at this size: {limits[0]:.4f} to {limits[1]:.4f}"
    )
    return Note("sampled", message)


def _mean(verdicts: Sequence[Verdict], sampled: Note, notes: Sequence[Note]) -> Verdict:
    """Average verdicts; a part that some of them lack is left out, and equal notes are given once."""
    shared = [name for name in verdicts[0].parts if all(name in verdict.parts for verdict in verdicts)]
    parts = {name: float(np.mean([verdict.parts[name] for verdict in verdicts])) for name in shared}
    own = {(note.kind, note.message): note for verdict in verdicts for note in verdict.notes}
    mean = float(np.array([verdict.corpus for verdict in verdicts]).mean())
    return Verdict(mean, parts, (sampled, *notes, *own.values()))


def _degenerate(generated: Vectors, corpus: Vectors) -> tuple[Note, ...]:
    return tuple(
        Note("degenerate", f"all {len(vectors)} samples of the {name} are equal: its spheres have no extent")
        for name, vectors in (("generated set", generated), ("corpus", corpus))
        if np.array_equal(vectors[0], vectors[-1]) and bool((vectors == vectors[0]).all())
    )


def harmonic_mean(first: float, second: float) -> float:
    """Return the harmonic mean of two numbers, zero if both are zero.

    >>> harmonic_mean(1.0, 0.5)
    0.6666666666666666
    """
    return 2 * first * second / (first + second) if first + second else 0.0
