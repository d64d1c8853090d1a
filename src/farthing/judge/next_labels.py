"""Which rows to label next, so that the interval of the mean shrinks most, and how many labels a width needs.

A label is worth most where labels are hard to predict: rows are drawn with probabilities that follow the expected size
of the error of prediction, as the labels so far tell it for rows with scores of that height.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from farthing.core.arrays import Floats, Indices
from farthing.core.errors import UsageError
from farthing.judge.drawing import drawing_probabilities, drawn_rows, graded_weights
from farthing.judge.estimates import LEAST, Labels, fitted_line, labels_needed, quantile

_BINS, _BELIEF = 5, 3.0  # groups of rows by score; labels that count as much as the spread of all


@dataclass(frozen=True, slots=True, eq=False)
class NextLabels:
    """What to label next.

    :param rows: the chosen rows
    :param probabilities: for every row, how likely it was to be labelled by now or to be chosen
    :param width: the width of the interval so far, and what it is expected to be; None without labels
    """

    rows: Indices
    probabilities: Floats
    width: float | None
    expected: float | None


def next_labels(labels: Labels, scores: Floats, earlier: Floats, count: int, seed: int = 0) -> NextLabels:
    """Choose rows.

    :param labels: the labels so far, NaN for rows without one
    :param scores: what a metric says of every row
    :param earlier: how likely each row was to have a label by now
    """
    known = np.isfinite(labels)
    rest = np.flatnonzero(~known)
    if not len(rest):
        raise UsageError("every row has a label: there is nothing left to choose")
    sizes = expected_errors(labels, scores) if int(known.sum()) >= LEAST else graded_weights(scores)
    chances = np.zeros(len(labels))
    chances[rest] = drawing_probabilities(sizes[rest], min(count, len(rest)))
    rows = rest[drawn_rows(chances[rest], scores[rest], np.random.default_rng(seed))]
    offered = np.where(known, drawing_probabilities(sizes, min(count, len(labels))), chances)
    together = 1 - (1 - earlier) * (1 - offered)
    if int(known.sum()) < LEAST:
        return NextLabels(rows, together, None, None)
    widths = (_width(labels, scores, sizes, chance) for chance in (earlier, together))
    return NextLabels(rows, together, *widths)


def expected_errors(labels: Labels, scores: Floats) -> Floats:
    """Return for every row how far its label is expected to be from what its score predicts."""
    known = np.isfinite(labels)
    start, slope = fitted_line(scores[known], labels[known], np.ones(int(known.sum())))
    squares = (labels[known] - start - slope * scores[known]) ** 2
    edges = np.quantile(scores, np.linspace(0, 1, _BINS + 1)[1:-1])
    bins, every = np.searchsorted(edges, scores[known]), np.searchsorted(edges, scores)
    sums = np.bincount(bins, squares, minlength=_BINS) + _BELIEF * squares.mean()
    return np.asarray(np.sqrt(sums / (np.bincount(bins, minlength=_BINS) + _BELIEF))[every]) + 1e-9


def _width(labels: Labels, scores: Floats, sizes: Floats, chances: Floats) -> float:
    """Return the width that labels with these probabilities are expected to give."""
    known, count = np.isfinite(labels), len(labels)
    _, slope = fitted_line(scores[known], labels[known], np.ones(int(known.sum())))
    variance = slope**2 * float(scores.var()) / count + float((sizes**2 / chances).sum()) / count**2
    return 2 * quantile(max(1.0, float(chances.sum()) - 2)) * math.sqrt(variance)


def count_for_width(labels: Labels, scores: Floats, width: float) -> int | None:
    """Return how many evenly drawn labels an interval of this width needs; None if all rows are not enough."""
    known = np.isfinite(labels)
    return labels_needed(labels[known], scores[known], scores[~known], width, len(labels))
