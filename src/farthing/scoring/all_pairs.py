"""Every system against every other, corrected for the number of tests: who is better than whom, and what is a tie.

Ranks are printed as the shared tasks of WMT do: the best rank of a system is one more than the number of systems that
are significantly better, the worst one leaves below it those that it is significantly better than. A cluster ends where
every system above is significantly better than every system below.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from farthing.core.progress import counted
from farthing.scoring.resampling import LEVEL, RESAMPLES, SEED, PairedTest, Redrawn, ResampledSets, pair_significance

_PER_TEST = 100  # resamples for each test, so that the smallest p survives the correction


@dataclass(frozen=True, slots=True)
class PairOutcome:
    """Two systems, the better one first.

    :param difference: the score of the better system minus that of the other
    :param corrected: the p-value after Holm's correction for all pairs of the metric
    """

    better: str
    worse: str
    difference: float
    p_value: float
    corrected: float

    @property
    def significant(self) -> bool:
        """True if the difference is more than chance would make, given the number of tests."""
        return self.corrected < LEVEL


@dataclass(frozen=True, slots=True)
class RankedSystem:
    """A system with the range of ranks that it may have, and the number of its cluster, from 1."""

    system: str
    best: int
    worst: int
    cluster: int

    @property
    def rank(self) -> str:
        """The range as text, such as 2-3."""
        return str(self.best) if self.best == self.worst else f"{self.best}-{self.worst}"


@dataclass(frozen=True, slots=True)
class AllPairs:
    """All pairs of systems under one metric.

    :param ranking: from the best score to the worst
    :param resamples: how many resamples each test drew
    """

    outcomes: tuple[PairOutcome, ...]
    ranking: tuple[RankedSystem, ...]
    resamples: int

    @property
    def enough(self) -> bool:
        """False if no pair could be significant with so few resamples for so many tests."""
        return len(self.outcomes) / (self.resamples + 1) < LEVEL


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for their number by Holm's method, which holds whatever their dependence.

    >>> [round(p, 4) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p_values, kind="stable")
    steps = np.array(p_values)[order] * np.arange(len(order), 0, -1)
    corrected = np.empty(len(order))
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(steps))
    return [float(value) for value in corrected]


def ranked(names: Sequence[str], beats: Mapping[tuple[str, str], bool]) -> tuple[RankedSystem, ...]:
    """Rank systems that are given from the best score to the worst.

    :param beats: for every pair (better, worse) whether the difference is significant

    >>> [one.rank for one in ranked(["a", "b"], {("a", "b"): False})]
    ['1-2', '1-2']
    """
    ranking, cluster = [], 1
    for place, name in enumerate(names):
        above, below = names[:place], names[place:]
        if above and all(beats[better, worse] for better in above for worse in below):
            cluster += 1
        losses = sum(beats[better, name] for better in above)
        wins = sum(beats[name, worse] for worse in below[1:])
        ranking.append(RankedSystem(name, losses + 1, len(names) - wins, cluster))
    return tuple(ranking)


def run_all_pairs(
    systems: Mapping[str, Redrawn],
    *,
    higher_is_better: bool = True,
    test: PairedTest = "bootstrap",
    resamples: int = 0,
    seed: int = SEED,
) -> AllPairs:
    """Test every system against every other.

    :param systems: the scores of each system, ready for resampling
    :param resamples: of each test; 0 takes the usual number, or more if there are many pairs
    """
    order = sorted(systems, key=lambda name: systems[name].corpus, reverse=higher_is_better)
    pairs = list(combinations(order, 2))
    resamples = resamples or max(RESAMPLES[test], _PER_TEST * len(pairs))
    found = [
        pair_significance(systems[worse], systems[better], test, resamples, seed, centred=True)
        for better, worse in counted("resampling", pairs)
    ]
    corrected = holm([one.p_value for one in found])
    outcomes = tuple(
        PairOutcome(*names, one.difference, one.p_value, p)
        for names, one, p in zip(pairs, found, corrected, strict=True)
    )
    beats = {(one.better, one.worse): one.significant for one in outcomes}
    first = systems[order[0]]
    drawn = len(first.draws) if isinstance(first, ResampledSets) else resamples
    return AllPairs(outcomes, ranked(order, beats), drawn)
