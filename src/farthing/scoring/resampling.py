"""Intervals and paired tests by resampling rows: the texts are never looked at again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from farthing.core.arrays import Floats, Segments
from farthing.core.errors import UsageError
from farthing.core.metric import Metric, SetMetric
from farthing.core.types import Scores

SEED = 12345  # sacrebleu's default, so that its users get the numbers they know
RESAMPLES = {"bootstrap": 1000, "randomization": 10000}
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
    """One system's rows under one metric, ready to be summed and scored in any selection."""

    def __init__(self, metric: Metric | SetMetric, scores: Scores) -> None:
        if scores.segments is None or isinstance(metric, SetMetric):
            raise UsageError(f"{scores.metric} gives no score per pair, so it cannot be resampled by rows")
        self.corpus = scores.corpus
        statistics = scores.statistics
        self.rows = np.asarray(scores.segments[:, None] if statistics is None else statistics, dtype=np.float64)
        self._score: Callable[[Floats], Segments]
        if statistics is not None:
            self._score = lambda sums: np.array([metric.aggregate(total) for total in sums])
        else:
            count = len(self.rows)
            self._score = lambda sums: np.asarray(sums[:, 0] / count)

    def __len__(self) -> int:
        return len(self.rows)

    def scores(self, sums: Floats) -> Floats:
        """The corpus score of each row of summed statistics."""
        return self._score(sums)

    def bootstrap(self, samples: int, seed: int) -> Floats:
        """The corpus scores of bootstrap samples; the same seed draws the same rows for every system."""
        sums = [counts @ self.rows for counts in _bootstrap_counts(len(self), samples, seed)]
        return self.scores(np.concatenate(sums))


def interval(metric: Metric | SetMetric, scores: Scores, samples: int = 1000, seed: int = SEED) -> Interval:
    """Compute the 95 % bootstrap interval of one system's score."""
    if scores.interval is not None:  # the metric has found it by itself
        return Interval(scores.corpus, *scores.interval)
    found = np.sort(Resampled(metric, scores).bootstrap(samples, seed))
    cut = samples // 40
    return Interval(float(found.mean()), float(found[cut]), float(found[samples - cut - 1]))


def paired_test(
    metric: Metric | SetMetric,
    baseline: Scores,
    system: Scores,
    test: PairedTest = "bootstrap",
    resamples: int = 0,
    seed: int = SEED,
) -> Paired:
    """Test a system against a baseline, two-sided: p = (hits + 1) / (resamples + 1).

    The procedures are sacrebleu's but for one thing: a resample that is exactly as extreme as what was
    observed counts as a hit. sacrebleu leaves it out, so that three segments, or a system against itself,
    come out as highly significant; on test sets of the usual size the two agree.
    """
    first, second = Resampled(metric, baseline), Resampled(metric, system)
    if len(first) != len(second):
        raise UsageError(f"paired tests need the same rows: {len(first)} and {len(second)} differ")
    run = {"bootstrap": _bootstrap_differences, "randomization": _randomized_differences}[test]
    resamples = resamples or RESAMPLES[test]
    observed = second.corpus - first.corpus
    as_extreme = abs(observed) - 1e-9 * max(abs(first.corpus), abs(second.corpus))  # equal but for rounding
    hits = int(np.sum(run(first, second, resamples, seed) >= as_extreme))
    return Paired(observed, (hits + 1) / (resamples + 1))


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
