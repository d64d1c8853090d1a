"""Greedy matching: every token takes the most similar one of the other side."""

from __future__ import annotations

from farthing.core.arrays import Vectors, Weights


def greedy(
    candidate: Vectors, reference: Vectors, candidate_weights: Weights, reference_weights: Weights
) -> tuple[float, float]:
    """Compute precision and recall of two lists of unit vectors.

    Precision is the weighted mean over candidate tokens of their best similarity, recall the same over
    reference tokens. Weights are not negative and do not sum to 0.

    >>> import numpy as np
    >>> x, y, one = np.eye(2, 3), np.eye(3, 3), np.ones
    >>> greedy(x, y, one(2), one(3))
    (1.0, 0.6666666666666666)
    """
    similarity = candidate @ reference.T
    precision = candidate_weights @ similarity.max(axis=1) / candidate_weights.sum()
    recall = reference_weights @ similarity.max(axis=0) / reference_weights.sum()
    return float(precision), float(recall)


def f1(precision: float, recall: float) -> float:
    """Compute the harmonic mean; if a value is not positive, which has none, the smaller of the two.

    The plain formula has a pole at precision = -recall and can give -65. This one is continuous, never leaves
    the range of its arguments, and equals the plain formula if both values are positive.

    >>> f1(0.5, 1.0), f1(-0.2, 0.2)
    (0.6666666666666666, -0.2)
    """
    if precision > 0 and recall > 0:
        return 2 * precision * recall / (precision + recall)
    return min(precision, recall)
