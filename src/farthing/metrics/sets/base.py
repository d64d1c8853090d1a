"""What metrics that judge a whole set share: one encoding and one search of neighbours for all of them."""

from __future__ import annotations

import zlib
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from farthing.core.metric import SetMetric
from farthing.core.progress import Bar, no_bar
from farthing.core.signature import Signature
from farthing.core.specs import Value
from farthing.core.types import Note, Part, Scores, Sets
from farthing.metrics.sets.samples import Samples, Source, check_together, gather, is_vectors
from farthing.neighbours.hyperspheres import Side, Spheres, cross, crossing_pairs

SEED = 12345


@dataclass(frozen=True, slots=True)
class Measured:
    """Two sets of vectors and, for every k that some metric asked for, who lies in whose sphere."""

    generated: np.ndarray
    corpus: np.ndarray
    ks: tuple[int, ...] = ()
    generated_side: Side | None = None
    corpus_side: Side | None = None

    def sides(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """For every sample, generated and corpus, whether it is covered and how many it reaches, at one k."""
        column = self.ks.index(k)
        first, second = (
            np.column_stack([side.covered[:, column], side.reached[:, column]])
            for side in (self.generated_side, self.corpus_side)
            if side is not None
        )
        return first, second


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a metric says of two sets."""

    corpus: float
    parts: Mapping[str, Part]
    notes: tuple[Note, ...] = ()


class SetScorer(SetMetric):
    """A metric that judges a set. A subclass says which neighbours it needs, judges, and judges resamples."""

    ks: tuple[int, ...] = ()
    resamples: ClassVar[int] = 1000

    def __init__(self, source: Source) -> None:
        self.source = source

    def score_sets(self, sets: Sets) -> Scores:
        """Judge one set of generated samples against a corpus."""
        return score_set_systems([self], [sets])[0][0]

    @abstractmethod
    def judge(self, measured: Measured) -> Verdict:
        """The scores of two measured sets."""

    @abstractmethod
    def resampled(self, measured: Measured, samples: int, seed: int) -> np.ndarray:
        """The corpus scores of bootstrap samples of both sets."""

    def fields(self) -> dict[str, Value]:
        """The metric's own part of the signature."""
        return {}


def score_set_systems(
    metrics: Sequence[SetScorer],
    systems: Sequence[Sets],
    *,
    intervals: bool = False,
    seed: int = SEED,
    threads: int | None = None,
    bar: Bar = no_bar,
) -> list[list[Scores]]:
    """Judge every system with every metric: result[metric][system].

    Metrics that look at the same samples share their encoding and one search of neighbours; systems that
    share a corpus share its encoding and its spheres.

    :param intervals: add 95 % bootstrap intervals
    :param bar: makes a progress bar out of a title and a number of distances
    """
    found: dict[tuple[int, int], Scores] = {}
    for source, places in _by_source(metrics, systems).items():
        group = [metrics[place] for place in places]
        study = _Study(group, source, intervals, seed, threads, bar)
        for column, sets in enumerate(systems):
            found |= {(places[i], column): scores for i, scores in enumerate(study.scores(sets))}
    return [[found[row, column] for column in range(len(systems))] for row in range(len(metrics))]


def _by_source(metrics: Sequence[SetScorer], systems: Sequence[Sets]) -> dict[Source, list[int]]:
    """The metrics' places by what they look at; given vectors are the same whatever the encoder."""
    given = all(is_vectors(sets.generated) and is_vectors(sets.corpus) for sets in systems)
    groups: dict[Source, list[int]] = {}
    for place, metric in enumerate(metrics):
        own = metric.source
        groups.setdefault(Source(sample=own.sample, repeats=own.repeats) if given else own, []).append(place)
    return groups


class _Study:
    """Some metrics that look at the same samples."""

    def __init__(
        self,
        metrics: Sequence[SetScorer],
        source: Source,
        intervals: bool,
        seed: int,
        threads: int | None,
        bar: Bar,
    ) -> None:
        self.metrics, self.source, self.intervals, self.seed = metrics, source, intervals, seed
        self.threads, self.bar = threads, bar
        self.ks = tuple(sorted({k for metric in metrics for k in metric.ks}))
        self._corpus: tuple[object, Samples] | None = None
        self._spheres: Spheres | None = None

    def scores(self, sets: Sets) -> list[Scores]:
        """The scores of one system under every metric."""
        corpus = self._kept_corpus(sets)
        generated = self._gathered(sets.generated, "the generated set")
        neediest = max(self.metrics, key=lambda metric: max(metric.ks, default=1))
        check_together(generated.vectors, corpus.vectors, max(self.ks, default=1), neediest.info.name)
        notes = (*generated.notes, *corpus.notes, *_degenerate(generated.vectors, corpus.vectors))
        fields = generated.fields
        limit = self.source.sample
        if limit and (limit < len(generated.vectors) or limit < len(corpus.vectors)):
            return self._sampled(generated.vectors, corpus.vectors, notes, fields, sets.system)
        measured = self._measured(generated.vectors, corpus.vectors, keep=True)
        return [self._scores(metric, measured, notes, fields, sets.system) for metric in self.metrics]

    def _kept_corpus(self, sets: Sets) -> Samples:
        if self._corpus is None or self._corpus[0] is not sets.corpus:
            self._corpus = (sets.corpus, self._gathered(sets.corpus, "the corpus"))
            self._spheres = None
        return self._corpus[1]

    def _gathered(self, data: Sequence[str] | np.ndarray, what: str) -> Samples:
        return gather(data, self.source, what, threads=self.threads, bar=self.bar)

    def _measured(self, generated: np.ndarray, corpus: np.ndarray, *, keep: bool = False) -> Measured:
        """Two sets with their neighbours; `keep` uses the corpus's spheres again for the next system."""
        if not self.ks:
            return Measured(generated, corpus)
        real = self._spheres if keep else None
        total = crossing_pairs(len(generated), len(corpus), with_corpus=real is None)
        with self.bar("neighbours", total) as progress:
            real = real or Spheres.of(corpus, self.ks, threads=self.threads, progress=progress)
            fake = Spheres.of(generated, self.ks, threads=self.threads, progress=progress)
            corpus_side, generated_side = cross(real, fake, threads=self.threads, progress=progress)
        self._spheres = real if keep else None
        return Measured(generated, corpus, self.ks, generated_side, corpus_side)

    def _scores(
        self,
        metric: SetScorer,
        measured: Measured,
        notes: tuple[Note, ...],
        fields: Mapping[str, Value],
        system: str,
    ) -> Scores:
        verdict = metric.judge(measured)
        interval = None
        if self.intervals:
            values = metric.resampled(measured, metric.resamples, self.seed)
            interval = float(np.quantile(values, 0.025)), float(np.quantile(values, 0.975))
        return Scores(
            corpus=verdict.corpus,
            segments=None,
            signature=Signature(metric.info.name, {**metric.fields(), **fields}),
            parts=verdict.parts,
            notes=(*notes, *verdict.notes),
            system=system,
            interval=interval,
        )

    def _sampled(
        self,
        generated: np.ndarray,
        corpus: np.ndarray,
        notes: tuple[Note, ...],
        fields: Mapping[str, Value],
        system: str,
    ) -> list[Scores]:
        """Means over random samples of both sets, with the interval of the mean and a note that says so."""
        draws = []
        for turn in range(self.source.repeats):
            random = np.random.default_rng([self.seed, turn])
            some = [_drawn(vectors, self.source.sample, random) for vectors in (generated, corpus)]
            measured = self._measured(*some)
            draws.append([metric.judge(measured) for metric in self.metrics])
        counts = (len(generated), len(corpus))
        return [
            _averaged(metric, [draw[i] for draw in draws], self.source, counts, notes, fields, system)
            for i, metric in enumerate(self.metrics)
        ]


def _drawn(vectors: np.ndarray, count: int, random: np.random.Generator) -> np.ndarray:
    if count >= len(vectors):
        return vectors
    found: np.ndarray = vectors[np.sort(random.choice(len(vectors), count, replace=False))]
    return found


def _averaged(
    metric: SetScorer,
    verdicts: Sequence[Verdict],
    source: Source,
    counts: tuple[int, int],
    notes: tuple[Note, ...],
    fields: Mapping[str, Value],
    system: str,
) -> Scores:
    from scipy.stats import t

    values = np.array([verdict.corpus for verdict in verdicts])
    mean = float(values.mean())
    reach = float(t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values)))
    message = (
        f"the mean of {len(values)} random samples of {source.sample} of the {counts[0]} generated and {counts[1]} "
        f"corpus samples; the 95 % interval is that of the score at this size: {mean - reach:.4f} to {mean + reach:.4f}"
    )
    shared = [name for name in verdicts[0].parts if all(name in verdict.parts for verdict in verdicts)]
    parts = {name: float(np.mean([verdict.parts[name] for verdict in verdicts])) for name in shared}
    kinds = {(note.kind, note.message): note for verdict in verdicts for note in verdict.notes}
    return Scores(
        corpus=mean,
        segments=None,
        signature=Signature(
            metric.info.name, {**metric.fields(), **fields, "sample": source.sample, "repeats": source.repeats}
        ),
        parts=parts,
        notes=(Note("sampled", message), *notes, *kinds.values()),
        system=system,
        interval=(mean - reach, mean + reach),
    )


def _degenerate(generated: np.ndarray, corpus: np.ndarray) -> tuple[Note, ...]:
    return tuple(
        Note("degenerate", f"all {len(vectors)} samples of the {name} are equal: its spheres have no extent")
        for name, vectors in (("generated set", generated), ("corpus", corpus))
        if np.array_equal(vectors[0], vectors[-1]) and bool((vectors == vectors[0]).all())
    )


def resampled_sums(rows: np.ndarray, samples: int, seed: int, salt: str) -> np.ndarray:
    """The column sums of bootstrap samples of the rows; `salt` sets two uses of one seed apart."""
    random = np.random.default_rng([seed, zlib.crc32(salt.encode())])
    rows = rows.astype(np.float64)
    return np.array([rows[random.integers(len(rows), size=len(rows))].sum(axis=0) for _ in range(samples)])


def moved(values: np.ndarray, score: float, lowest: float = 0.0, highest: float = np.inf) -> np.ndarray:
    """Scores of resamples, moved so that their mean is the score itself.

    Resampling adds differences of its own between two sets, which distances count as much as real ones; without
    the move the interval could lie beside the score.
    """
    found: np.ndarray = np.clip(values - values.mean() + score, lowest, highest)
    return found


def harmonic_mean(first: float, second: float) -> float:
    """Zero where both are.

    >>> harmonic_mean(1.0, 0.5)
    0.6666666666666666
    """
    return 2 * first * second / (first + second) if first + second else 0.0
