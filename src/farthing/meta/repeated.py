"""Experiments on diversity that are repeated with several seeds: which findings repeat?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from farthing.core.progress import Bar, no_bar
from farthing.meta.diversity import Course, Experiment, Plan, experiments_document, run_experiments
from farthing.meta.read.labelled import Labelled
from farthing.meta.text_vectors import TextVectors
from farthing.metrics.sets.base import VectorSetMetric, mean_interval


@dataclass(frozen=True, slots=True)
class RepeatedChange:
    """How a score changed over all seeds.

    :param interval: the 95 % interval of the mean change
    :param right: in how many runs it moved as it should
    """

    name: str
    expected: Course
    values: tuple[float, ...]
    mean: float
    interval: tuple[float, float]
    right: int


@dataclass(frozen=True, slots=True)
class RepeatedExperiment:
    """One experiment with several seeds."""

    runs: tuple[Experiment, ...]

    def changes(self) -> list[RepeatedChange]:
        """Return one row per score: its mean course, its mean change, and how often it moved as it should."""
        return [self._change(place) for place in range(len(self.runs[0].curves))]

    def mean(self) -> Experiment:
        """Return the mean course of every score as one experiment; a score is right if it was in every run."""
        if len(self.runs) == 1:
            return self.runs[0]
        means = {one.name: one for one in self.changes()}
        curves = (
            replace(curve, values=means[curve.name].values, change=means[curve.name].mean, right=self._always(place))
            for place, curve in enumerate(self.runs[0].curves)
        )
        return replace(self.runs[0], curves=tuple(curves))

    def _always(self, place: int) -> bool:
        return all(run.curves[place].right for run in self.runs)

    def _change(self, place: int) -> RepeatedChange:
        curves = [run.curves[place] for run in self.runs]
        changes = [curve.change for curve in curves]
        return RepeatedChange(
            curves[0].name,
            curves[0].expected,
            tuple(np.mean([curve.values for curve in curves], axis=0).tolist()),
            float(np.mean(changes)),
            mean_interval(changes),
            sum(curve.right for curve in curves),
        )


def repeat_experiments(
    data: Labelled,
    metrics: Sequence[VectorSetMetric],
    experiments: Sequence[str],
    plan: Plan,
    seeds: int,
    bar: Bar = no_bar,
) -> Iterator[RepeatedExperiment]:
    """Run every experiment with several seeds, which follow the plan's; each text is encoded once."""
    vectors = TextVectors(metrics[0], bar)
    for name in experiments:
        plans = [replace(plan, seed=plan.seed + number) for number in range(seeds)]
        runs = [next(run_experiments(data, metrics, [name], one, vectors=vectors, bar=bar)) for one in plans]
        yield RepeatedExperiment(tuple(runs))


def repeated_document(found: Sequence[RepeatedExperiment]) -> dict[str, object]:
    """Return experiments and, if there are several seeds, their mean changes as values that JSON can hold."""
    document = experiments_document([run for one in found for run in one.runs])
    repeated = [one for one in found if len(one.runs) > 1]
    means = [{"experiment": one.runs[0].name, "scores": list(map(asdict, one.changes()))} for one in repeated]
    return {**document, **({"repeated": means} if means else {})}
