"""Differences of two aligned texts, each 0 where they are equal. Pure numpy."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

NAMES = ("precision", "recall", "F", "precision, root mean square", "recall, root mean square", "pooled")


class Tokens(NamedTuple):
    """One text: a unit vector and a positive weight for every token (no special tokens)."""

    vectors: np.ndarray
    weights: np.ndarray


def gaps(first: Tokens, second: Tokens) -> tuple[float, ...]:
    """The differences of a candidate and a reference, in the order of :data:`NAMES`.

    A token's gap is one minus its cosine with the nearest token of the other text. Means are weighted by what
    the student has learned that a token weighs.
    """
    similarity = first.vectors @ second.vectors.T
    forth, back = np.maximum(1 - similarity.max(axis=1), 0), np.maximum(1 - similarity.max(axis=0), 0)
    shares = first.weights / first.weights.sum(), second.weights / second.weights.sum()
    precision, recall = float(shares[0] @ forth), float(shares[1] @ back)
    both = max((1 - precision) + (1 - recall), 1e-6)
    harmonic = 1 - 2 * (1 - precision) * (1 - recall) / both
    spread = [
        float(np.sqrt(share @ (one * one) + 1e-8)) - 1e-4 for one, share in ((forth, shares[0]), (back, shares[1]))
    ]
    means = shares[0] @ first.vectors, shares[1] @ second.vectors
    pooled = float(means[0] @ means[1] / max(np.linalg.norm(means[0]) * np.linalg.norm(means[1]), 1e-12))
    return precision, recall, harmonic, *spread, 1 - pooled
