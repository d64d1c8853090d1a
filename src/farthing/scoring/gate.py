"""The gate of a pipeline: scores that must be reached, and systems that must not be worse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from farthing.core.errors import GateFailed, UnknownName, UsageError
from farthing.core.specs import parse_spec
from farthing.scoring.comparison import Comparison, score_text
from farthing.scoring.score import Chosen


@dataclass(frozen=True, slots=True)
class Threshold:
    """A score that every system must reach.

    :param place: the place of the metric among those that are scored
    """

    place: int
    value: float


def read_thresholds(texts: Sequence[str], metrics: Sequence[Chosen]) -> list[Threshold]:
    """Read thresholds such as `chrf=60`; a metric is given by its name, or by its spec if two share a name."""
    return [_threshold(text, metrics) for text in texts]


def _threshold(text: str, metrics: Sequence[Chosen]) -> Threshold:
    name, equals, number = text.rpartition("=")
    try:
        value = float(number)
    except ValueError:
        equals = ""
    if not equals or value != value:
        raise UsageError(f"{text!r} is not a threshold: write a metric and a number, such as chrf=60")
    spec = str(parse_spec(name))
    exact = [place for place, one in enumerate(metrics) if one.spec == spec]
    places = exact or [place for place, one in enumerate(metrics) if one.metric.info.name == name.strip()]
    if not places:
        raise UnknownName("metric of this run", name, [one.spec for one in metrics])
    if len(places) > 1:
        choices = " or ".join(metrics[place].spec for place in places)
        raise UsageError(f"several metrics are called {name}: write {choices}")
    return Threshold(places[0], value)


def check_thresholds(found: Comparison, thresholds: Sequence[Threshold], printed: str = "") -> None:
    """Raise :class:`GateFailed` if a system misses a threshold: is below it, or above if lower is better.

    :param printed: what to print before the reason
    """
    if reasons := list(_misses(found, thresholds)):
        raise GateFailed("; ".join(reasons), printed)


def _misses(found: Comparison, thresholds: Sequence[Threshold]) -> Iterator[str]:
    for one in thresholds:
        info, label = found.metrics[one.place], found.labels[one.place]
        for row in found.rows:
            score = row.cells[one.place].scores.corpus
            reached = score >= one.value if info.higher_is_better else score <= one.value
            if not reached:  # a score that is not a number reaches nothing
                side = "below" if info.higher_is_better else "above"
                yield f"{row.system} has {label} {_distinct(score, one.value, found, one.place)}, {side} {one.value:g}"


def _distinct(score: float, limit: float, found: Comparison, place: int) -> str:
    """Format a score with as many digits as tell it from the limit."""
    text = score_text(score, found.metrics[place])
    return text if float(text) != limit else repr(score)


def check_not_worse(found: Comparison, printed: str = "") -> None:
    """Raise :class:`GateFailed` if a system is significantly worse than the baseline by any metric."""
    if reasons := list(_losses(found)):
        raise GateFailed("; ".join(reasons), printed)


def _losses(found: Comparison) -> Iterator[str]:
    for row in found.rows:
        for cell, info, label in zip(row.cells, found.metrics, found.labels, strict=True):
            if cell.paired and cell.significant and (cell.paired.difference < 0) == info.higher_is_better:
                now, before = cell.scores.corpus, cell.scores.corpus - cell.paired.difference
                yield (
                    f"{row.system} is worse than {found.baseline}: {label} {score_text(now, info)} against "
                    f"{score_text(before, info)}, p {_p_text(cell.paired.p_value)}"
                )


def _p_text(value: float) -> str:
    return f"= {value:.3f}" if value >= 0.001 else "< 0.001"
