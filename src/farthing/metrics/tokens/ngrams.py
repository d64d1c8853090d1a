"""N-grams of vectors: sliding windows over the tokens of a text."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from farthing.core.arrays import Vectors, Weights


def ngrams(vectors: Vectors, weights: Weights, size: int) -> tuple[Vectors, Weights]:
    """Return the vector of every n-gram, the weighted mean of its tokens' vectors, and its weight, their sum.

    A text shorter than `size` is one n-gram. A window whose tokens weigh nothing has their plain mean.

    >>> vectors, weights = ngrams(np.array([[0.0], [1.0], [5.0]]), np.array([1.0, 3.0, 1.0]), 2)
    >>> vectors.ravel().tolist(), weights.tolist()
    ([0.75, 2.0], [4.0, 4.0])
    """
    if size == 1 or len(vectors) <= 1:
        return vectors, weights
    size = min(size, len(vectors))
    heavy = vectors * weights[:, None]
    sums = sliding_window_view(weights, size).sum(axis=-1)
    totals = sliding_window_view(heavy, size, axis=0).sum(axis=-1)
    plain = sliding_window_view(vectors, size, axis=0).mean(axis=-1)
    some = (sums > 0)[:, None]
    return np.where(some, totals / np.where(some, sums[:, None], 1), plain), sums
