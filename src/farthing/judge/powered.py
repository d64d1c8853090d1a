"""Means of labels, made exact by a metric that scores every row; and differences between systems."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from farthing.core.arrays import Floats
from farthing.core.errors import UsageError
from farthing.core.types import Pairs
from farthing.judge.estimates import (
    LEAST,
    Estimate,
    Labels,
    classical_mean,
    equivalent_labels,
    powered_mean,
    weighted_mean,
    weighted_spread,
    weighted_terms,
)
from farthing.judge.labels import JoinedLabels, joined_labels, read_labels
from farthing.scoring.comparison import Comparison, PrintedForm
from farthing.scoring.resampling import LEVEL
from farthing.tables.sheet import Sheet, SheetCell, sheet_latex, sheet_markdown, sheet_text


@dataclass(frozen=True, slots=True)
class PoweredMean:
    """The mean label of one system, or the difference between two.

    :param against: the baseline of a difference
    :param worth: how many labels alone would give as short an interval
    :param alone: what the labels alone say; None if they were not drawn evenly
    """

    system: str
    metric: str
    estimate: Estimate
    worth: float
    alone: Estimate | None
    against: str | None = None


@dataclass(frozen=True, slots=True)
class PoweredResult:
    """All means, and the differences if systems are compared."""

    means: tuple[PoweredMean, ...]

    def to_dict(self) -> list[dict[str, object]]:
        """Return plain values."""
        return [_record(one) for one in self.means]

    def printed(self, form: PrintedForm, found: Comparison, *, width: int | None, digits: int | None) -> str:
        """Return the table of means; as text below the scores themselves, as JSON beside them."""
        if form == "json":
            return json.dumps({**found.to_dict(), "labels": self.to_dict()}, ensure_ascii=False, indent=1)
        if form == "csv":
            records = self.to_dict()
            return "\n".join([",".join(records[0]), *(",".join(map(_csv, one.values())) for one in records)])
        sheet = _sheet(self.means, 2 if digits is None else digits)
        if form != "table":
            return {"latex": sheet_latex, "markdown": sheet_markdown}[form](sheet)
        return f"{found.printed(form, width=width, digits=digits)}\n\n{sheet_text(sheet, width=width)}"


def powered_result(found: Comparison, systems: Sequence[Pairs], path: str, human: str | None = None) -> PoweredResult:
    """Join a file of labels to scores.

    :param found: the scores of all rows; if it holds a test, differences from its baseline are estimated, too
    """
    joined = joined_labels(systems, list(read_labels(path, human)), path)
    means: list[PoweredMean] = []
    for column, label in enumerate(found.labels):
        scores = [_segments(found, row, column) for row in range(len(systems))]
        means += [_mean(systems[one].system, label, joined, one, scores[one]) for one in range(len(systems))]
        if found.baseline is not None:
            base = [pairs.system for pairs in systems].index(found.baseline)
            rest = [one for one in range(len(systems)) if one != base]
            means += [_difference(systems, label, joined, scores, (one, base)) for one in rest]
    return PoweredResult(tuple(means))


def _segments(found: Comparison, row: int, column: int) -> Floats:
    segments = found.rows[row].cells[column].scores.segments
    if segments is None:
        raise UsageError(f"{found.labels[column]} judges a whole set: labels of rows need a metric that scores rows")
    up = 1.0 if found.metrics[column].higher_is_better else -1.0
    return np.asarray(up * segments, dtype=float)


def _mean(system: str, metric: str, joined: JoinedLabels, place: int, scores: Floats) -> PoweredMean:
    labels = joined.labels[place]
    known = np.isfinite(labels)
    if int(known.sum()) < LEAST:
        raise UsageError(
            f"{system} has {int(known.sum())} labels, which are too few for an interval: give {LEAST} or more"
        )
    if joined.probabilities is not None:
        found, alone = weighted_mean(labels, scores, joined.probabilities[place]), None
        spread = weighted_spread(labels[known], 1 / joined.probabilities[place][known])
    else:
        found, alone = powered_mean(labels[known], scores[known], scores[~known]), classical_mean(labels[known])
        spread = float(labels[known].std(ddof=1))
    return PoweredMean(system, metric, found, equivalent_labels(found, spread), alone)


def _difference(
    systems: Sequence[Pairs], metric: str, joined: JoinedLabels, scores: Sequence[Floats], places: tuple[int, int]
) -> PoweredMean:
    """Estimate a difference: from rows that are labelled for both systems if there are enough, else from both means."""
    one, base = places
    labels: Labels = joined.labels[one] - joined.labels[base]
    known = np.isfinite(labels)
    names = systems[one].system, systems[base].system
    if joined.probabilities is None and int(known.sum()) >= LEAST:
        given = scores[one] - scores[base]
        found, alone = powered_mean(labels[known], given[known], given[~known]), classical_mean(labels[known])
        worth = equivalent_labels(found, float(labels[known].std(ddof=1)))
        return PoweredMean(names[0], metric, found, worth, alone, names[1])
    first, second = (
        _mean(name, metric, joined, place, scores[place]) for name, place in zip(names, places, strict=True)
    )
    return PoweredMean(names[0], metric, _subtracted(joined, scores, places, first, second), np.nan, None, names[1])


def _subtracted(
    joined: JoinedLabels, scores: Sequence[Floats], places: tuple[int, int], first: PoweredMean, second: PoweredMean
) -> Estimate:
    """Subtract two means; drawn labels of both systems have one value per segment, whose differences are averaged."""
    freedom = min(first.estimate.freedom, second.estimate.freedom)
    mean = first.estimate.mean - second.estimate.mean
    labels = first.estimate.labels + second.estimate.labels
    if joined.probabilities is not None:
        one, other = (weighted_terms(joined.labels[p], scores[p], joined.probabilities[p])[0] for p in places)
        terms = one - other
        return Estimate(mean, float(terms.std(ddof=1)) / np.sqrt(len(terms)), labels, freedom)
    return Estimate(mean, float(np.hypot(first.estimate.error, second.estimate.error)), labels, freedom)


def _record(one: PoweredMean) -> dict[str, object]:
    limits = one.estimate.interval()
    alone = one.alone.interval() if one.alone else None
    return {
        "system": one.system, "against": one.against, "metric": one.metric, "mean": one.estimate.mean,
        "ci_low": limits.low, "ci_high": limits.high, "labels": one.estimate.labels,
        "worth": one.worth if np.isfinite(one.worth) else None,
        "labels_mean": alone.mean if alone else None, "labels_low": alone.low if alone else None,
        "labels_high": alone.high if alone else None,
        "p_value": one.estimate.p_value() if one.against else None,
    }  # fmt: skip


def _csv(value: object) -> str:
    return "" if value is None else str(value)


def _sheet(means: Sequence[PoweredMean], digits: int) -> Sheet:
    head = ["mean of the labels", "labels", "labels alone, 95 %", "helped by", "mean, 95 %", "worth"]
    rows = [
        [
            one.system if one.against is None else f"{one.system} - {one.against}",
            str(one.estimate.labels),
            "–" if one.alone is None else _shown(one.alone, digits),
            one.metric,
            _shown(one.estimate, digits) + _star(one),
            f"{one.worth:.0f} labels" if np.isfinite(one.worth) else "–",
        ]
        for one in means
    ]
    legend = ["", "In brackets the 95 % interval of the mean over all texts of the kind; docs/judge.md tells how."]
    if any(_star(one) for one in means):
        legend.append("*: a difference that is not 0 (p < 0.05)")
    return Sheet([SheetCell(text) for text in head], [[SheetCell(text) for text in row] for row in rows], legend, [])


def _star(one: PoweredMean) -> str:
    return " *" if one.against is not None and one.estimate.p_value() < LEVEL else ""


def _shown(estimate: Estimate, digits: int) -> str:
    limits = estimate.interval()
    return f"{estimate.mean:.{digits}f} [{limits.low:.{digits}f}, {limits.high:.{digits}f}]"
