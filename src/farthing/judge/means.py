"""The mean verdict of each system over all of its rows, from the rows that were judged, with intervals.

They speak of these very texts: what would the mean be if the judge had seen every row? Rows that were chosen are known.
Of the others, those that were drawn stand for the rest, each for as many as its probability says, and correct what was
expected. How much they may be wrong is estimated from all systems together, since one system has few drawn rows.
"""

from __future__ import annotations

import math

import numpy as np

from farthing.core.arrays import Floats
from farthing.core.errors import UsageError
from farthing.judge.estimates import LEAST, Estimate, fitted_line, skewness_of
from farthing.judge.routing import Routed

_FITTED = 2  # numbers of the line that expectations are brought to the judge's scale with


def verdict_means(routed: Routed, systems: int) -> list[Estimate]:
    """Estimate the mean verdict of every system."""
    known, drawn = np.isfinite(routed.verdicts), routed.drawn
    open_rows = ~known | drawn
    if open_rows.any() and int(drawn.sum()) < LEAST:
        raise UsageError(f"{int(drawn.sum())} verdicts on drawn rows are too few for an interval: raise the budget")
    chances = routed.probabilities
    start, slope = fitted_line(routed.helper[known], routed.verdicts[known], 1 / chances[known])
    expected = start + slope * routed.helper
    rest = (routed.verdicts[drawn] - expected[drawn]) / chances[drawn]
    terms = np.where(open_rows, expected, routed.verdicts)
    terms[drawn] += rest
    return [
        _estimate(routed, terms, rest, np.asarray(routed.rows.systems == system), open_rows)
        for system in range(systems)
    ]


def _estimate(routed: Routed, terms: Floats, rest: Floats, own: np.ndarray, open_rows: np.ndarray) -> Estimate:
    size, labels = int(own.sum()), int(np.isfinite(routed.verdicts[own]).sum())
    mean = float(terms[own].mean())
    if not open_rows.any():
        return Estimate(mean, 0.0, labels)
    # What one row may be wrong by, times the number of rows that a drawn one stands for beside itself.
    burden = np.where(open_rows, 1 / routed.probabilities - 1, 0.0)
    share = float(burden[own].sum() / burden.sum()) if burden.sum() else 0.0
    kept = 1 - routed.probabilities[routed.drawn]
    count = len(rest)
    variance = float(kept @ (rest - rest.mean()) ** 2) * count / max(1, count - _FITTED)
    skewness = skewness_of(rest) / math.sqrt(share) if share else 0.0
    return Estimate(mean, math.sqrt(variance * share) / size, labels, max(1, count - _FITTED), skewness)
