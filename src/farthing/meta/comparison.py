"""Systems side by side: scores, intervals, and which differences chance could have made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from farthing.core.errors import UnknownName
from farthing.core.types import MetricInfo, Scores
from farthing.meta.resampling import SAMPLES, SEED, Interval, Paired, Test, interval, paired

LEVEL = 0.05  # below this p a difference is called significant


@dataclass(frozen=True, slots=True)
class Cell:
    """One system under one metric."""

    scores: Scores
    interval: Interval | None = None
    paired: Paired | None = None  # None for the baseline

    @property
    def significant(self) -> bool:
        """True where the difference from the baseline is more than chance would make."""
        return self.paired is not None and self.paired.p_value < LEVEL


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One system under all metrics."""

    system: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Systems by metrics; without a test where only scores were asked for."""

    metrics: tuple[MetricInfo, ...]
    labels: tuple[str, ...]  # what to call each metric: its name, or its spec where a name stands twice
    rows: tuple[ComparisonRow, ...]
    baseline: str | None = None
    test: str | None = None
    samples: int = 0
    seed: int = SEED

    def best(self, column: int) -> set[str]:
        """The systems with the best score under a metric."""
        higher = self.metrics[column].higher_is_better
        values = {row.system: row.cells[column].scores.corpus for row in self.rows}
        top = max(values.values()) if higher else min(values.values())
        return {name for name, value in values.items() if value == top}

    def __str__(self) -> str:
        from farthing.report.table import as_text

        return as_text(self)


def compare_systems(
    metrics: Sequence[Any],
    scores: Sequence[Sequence[Scores]],
    *,
    baseline: str | None = None,
    test: Test = "bootstrap",
    samples: int = 0,
    seed: int = SEED,
    intervals: bool = True,
    labels: Sequence[str] | None = None,
) -> Comparison:
    """Test every system against the baseline under every metric: scores[metric][system]."""
    names = [found.system for found in scores[0]]
    baseline = names[0] if baseline is None else baseline
    if baseline not in names:
        raise UnknownName("baseline", baseline, names)
    place = names.index(baseline)
    samples = samples or SAMPLES[test]
    columns = []
    for metric, column in zip(metrics, scores, strict=True):
        columns.append(
            [
                Cell(
                    found,
                    interval(metric, found, seed=seed) if intervals else None,
                    None if found.system == baseline else paired(metric, column[place], found, test, samples, seed),
                )
                for found in column
            ]
        )
    infos = _infos(metrics)
    return Comparison(infos, _labels(infos, labels), _rows(names, columns), baseline, test, samples, seed)


def scored_systems(
    metrics: Sequence[Any],
    scores: Sequence[Sequence[Scores]],
    *,
    intervals: bool = False,
    seed: int = SEED,
    labels: Sequence[str] | None = None,
) -> Comparison:
    """The same shape without a test, for plain scoring."""
    columns = [
        [Cell(found, interval(metric, found, seed=seed) if intervals or found.interval else None) for found in column]
        for metric, column in zip(metrics, scores, strict=True)
    ]
    infos = _infos(metrics)
    names = [found.system for found in scores[0]]
    return Comparison(infos, _labels(infos, labels), _rows(names, columns), seed=seed)


def _infos(metrics: Sequence[Any]) -> tuple[MetricInfo, ...]:
    return tuple(metric.info for metric in metrics)


def _labels(infos: Sequence[MetricInfo], specs: Sequence[str] | None) -> tuple[str, ...]:
    names = [info.name for info in infos]
    return tuple(
        name if names.count(name) == 1 or specs is None else spec
        for name, spec in zip(names, specs or names, strict=True)
    )


def _rows(names: list[str], columns: list[list[Cell]]) -> tuple[ComparisonRow, ...]:
    return tuple(ComparisonRow(name, tuple(column[index] for column in columns)) for index, name in enumerate(names))
