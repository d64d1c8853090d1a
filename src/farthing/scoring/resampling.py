"""Intervals and paired tests by resampling rows, or whole documents: the texts are never looked at again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from farthing.core.arrays import Floats, Indices, Segments
from farthing.core.errors import UsageError
from farthing.core.metric import Metric, SetMetric
from farthing.core.types import Scores

SEED = 12345  # sacrebleu's default, so that its users get the numbers they know
RESAMPLES = {"bootstrap": 1000, "randomization": 10000}
LEVEL = 0.05  # below this p a difference is called significant
_BLOCK = 1 << 22  # random numbers that are in memory at a time

PairedTest = Literal["bootstrap", "randomization"]


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95 % bootstrap interval of a corpus score."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Paired:
    """A system against the baseline: the difference of their scores and how likely chance alone makes it."""

    difference: float
    p_value: float


class Resampled:
    """One system's rows under one metric, ready to be summed and scored in any selection.

    :param documents: the number of each row's document, from 0: whole documents are selected then
    """

    def __init__(self, metric: Metric | SetMetric, scores: Scores, documents: Indices | None = None) -> None:
        if scores.segments is None or isinstance(metric, SetMetric):
            raise UsageError(f"{scores.metric} gives no score per pair, so it cannot be resampled by rows")
        self.corpus = scores.corpus
        self.segments = len(scores.segments)
        self._score: Callable[[Floats], Segments]
        if scores.statistics is not None:
            rows = np.asarray(scores.statistics, dtype=np.float64)
            self._score = lambda sums: np.array([metric.aggregate(total) for total in sums])
        elif documents is None:
            rows = np.asarray(scores.segments[:, None], dtype=np.float64)
            self._score = lambda sums: np.asarray(sums[:, 0] / self.segments)
        else:  # documents differ in length, so that the number of drawn segments varies
            rows = np.column_stack([scores.segments, np.ones(self.segments)]).astype(np.float64)
            self._score = lambda sums: np.asarray(sums[:, 0] / sums[:, 1])
        self.rows = rows if documents is None else _document_sums(rows, documents)
        self._drawn: dict[tuple[int, int], Floats] = {}

    def __len__(self) -> int:
        return len(self.rows)

    def scores(self, sums: Floats) -> Floats:
        """The corpus score of each row of summed statistics."""
        return self._score(sums)

    def bootstrap(self, samples: int, seed: int) -> Floats:
        """The corpus scores of bootstrap samples; the same seed draws the same rows for every system."""
        if (samples, seed) not in self._drawn:
            sums = [counts @ self.rows for counts in _bootstrap_counts(len(self), samples, seed)]
            self._drawn[samples, seed] = self.scores(np.concatenate(sums))
        return self._drawn[samples, seed]


class ResampledSets:
    """One system under a metric of whole sets, whose scores of bootstrap samples the metric itself has drawn."""

    def __init__(self, corpus: float, draws: Segments) -> None:
        self.corpus, self.draws = corpus, draws


Redrawn: TypeAlias = Resampled | ResampledSets


def resampled(metric: Metric | SetMetric, scores: Scores, documents: Indices | None = None) -> Redrawn:
    """Make a system's scores ready for resampling."""
    if scores.draws is not None:
        return ResampledSets(scores.corpus, scores.draws)
    if scores.segments is None:
        raise UsageError(f"{scores.metric} judges whole sets and has drawn no samples to test: use farthing score")
    return Resampled(metric, scores, documents)


def interval(
    metric: Metric | SetMetric,
    scores: Scores,
    samples: int = 1000,
    seed: int = SEED,
    documents: Indices | None = None,
) -> Interval:
    """Compute the 95 % bootstrap interval of one system's score."""
    if scores.interval is not None:  # the metric has found it by itself
        return Interval(scores.corpus, *scores.interval)
    return bootstrap_interval(Resampled(metric, scores, documents), samples, seed)


def bootstrap_interval(system: Resampled, samples: int = 1000, seed: int = SEED) -> Interval:
    """Compute the 95 % bootstrap interval of rows that are ready for resampling."""
    found = np.sort(system.bootstrap(samples, seed))
    cut = samples // 40
    return Interval(float(found.mean()), float(found[cut]), float(found[samples - cut - 1]))


def paired_test(
    metric: Metric | SetMetric,
    baseline: Scores,
    system: Scores,
    test: PairedTest = "bootstrap",
    resamples: int = 0,
    seed: int = SEED,
    documents: Indices | None = None,
) -> Paired:
    """Test a system against a baseline, two-sided: p = (hits + 1) / (resamples + 1).

    The procedures are sacrebleu's but for one thing: a resample that is exactly as extreme as what was
    observed counts as a hit. sacrebleu leaves it out, so that three segments, or a system against itself,
    come out as highly significant; on test sets of the usual size the two agree.
    """
    first, second = (resampled(metric, scores, documents) for scores in (baseline, system))
    return pair_significance(first, second, test, resamples, seed)


def pair_significance(
    first: Redrawn,
    second: Redrawn,
    test: PairedTest = "bootstrap",
    resamples: int = 0,
    seed: int = SEED,
    *,
    centred: bool = False,
) -> Paired:
    """Test the second of two systems that are ready for resampling against the first.

    :param centred: let the bootstrap count how far the difference itself varies around its mean, as for sets. The usual
        rule takes absolute values first, so that it calls 10 % of equal systems different at p < 0.05
    """
    if isinstance(first, ResampledSets) or isinstance(second, ResampledSets):
        found = _set_differences(first, second, test)
    else:
        if len(first) != len(second):
            raise UsageError(f"paired tests need the same rows: {len(first)} and {len(second)} differ")
        bootstrap = _centred_differences if centred else _bootstrap_differences
        run = bootstrap if test == "bootstrap" else _randomized_differences
        found = run(first, second, resamples or RESAMPLES[test], seed)
    observed = second.corpus - first.corpus
    as_extreme = abs(observed) - 1e-9 * max(abs(first.corpus), abs(second.corpus))  # equal but for rounding
    return Paired(observed, (int(np.sum(found >= as_extreme)) + 1) / (len(found) + 1))


def _set_differences(first: Redrawn, second: Redrawn, test: PairedTest) -> Floats:
    """Absolute differences of the scores of bootstrap samples, each around the mean difference."""
    if not isinstance(first, ResampledSets) or not isinstance(second, ResampledSets):
        raise UsageError("a set and rows of pairs cannot be tested against each other")
    if test != "bootstrap":
        raise UsageError("metrics of whole sets can only be tested by bootstrap: omit --test")
    return _centred(second.draws - first.draws)


def _centred(differences: Floats) -> Floats:
    """The distances of differences from their mean."""
    return np.asarray(np.abs(differences - differences.mean()))


def _centred_differences(first: Resampled, second: Resampled, samples: int, seed: int) -> Floats:
    return _centred(second.bootstrap(samples, seed) - first.bootstrap(samples, seed))


def _bootstrap_differences(first: Resampled, second: Resampled, samples: int, seed: int) -> Floats:
    """Absolute differences under resampling, shifted to the null hypothesis by their mean."""
    found: Floats = np.abs(second.bootstrap(samples, seed) - first.bootstrap(samples, seed))
    found -= found.mean()
    return found


def _randomized_differences(first: Resampled, second: Resampled, samples: int, seed: int) -> Floats:
    """Absolute differences when every row is swapped between the two systems by the toss of a coin."""
    generator = np.random.default_rng(seed)
    total = first.rows.sum(axis=0) + second.rows.sum(axis=0)
    found = []
    for size in _block_sizes(len(first), samples):
        swap = generator.integers(2, size=(size, len(first)), dtype=bool).astype(np.float64)
        sums = first.rows.sum(axis=0) + swap @ (second.rows - first.rows)
        found.append(np.abs(first.scores(sums) - first.scores(total - sums)))
    return np.concatenate(found)


def _document_sums(rows: Floats, documents: Indices) -> Floats:
    if len(rows) != len(documents):
        raise UsageError(f"{len(rows)} segments but {len(documents)} document ids: give one id per segment")
    return np.column_stack([np.bincount(documents, weights=column) for column in rows.T])


def _bootstrap_counts(rows: int, samples: int, seed: int) -> Iterator[Floats]:
    """How often each row is drawn, for blocks of samples."""
    generator = np.random.default_rng(seed)
    for size in _block_sizes(rows, samples):
        drawn = generator.integers(rows, size=(size, rows))
        drawn += np.arange(size)[:, None] * rows
        yield np.bincount(drawn.ravel(), minlength=size * rows).reshape(size, rows).astype(np.float64)


def _block_sizes(rows: int, samples: int) -> Iterator[int]:
    block = max(1, min(samples, _BLOCK // rows))
    for start in range(0, samples, block):
        yield min(block, samples - start)
