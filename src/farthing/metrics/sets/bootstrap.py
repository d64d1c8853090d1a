"""Bootstrap samples of sets, for the intervals of set metrics."""

from __future__ import annotations

import zlib

import numpy as np

from farthing.core.arrays import Matrix, Segments


def resampled_sums(rows: np.ndarray, samples: int, seed: int, salt: str) -> Matrix:
    """Return the column sums of bootstrap samples of the rows, one row per sample.

    :param salt: makes two uses of the same seed independent
    """
    random = np.random.default_rng([seed, zlib.crc32(salt.encode())])
    rows = rows.astype(np.float64)
    return np.array([rows[random.integers(len(rows), size=len(rows))].sum(axis=0) for _ in range(samples)])


def generators(seed: int) -> tuple[np.random.Generator, np.random.Generator]:
    """Return one generator for draws from the generated set and one for draws from the corpus.

    Systems that are compared by the same seed thus share the draws from the corpus, whatever the sizes of their sets.
    """
    return np.random.default_rng([seed, 0]), np.random.default_rng([seed, 1])


def moved(values: Segments, score: float, lowest: float = 0.0, highest: float = np.inf) -> Segments:
    """Shift the scores of resamples so that their mean is the score itself.

    Resampling adds differences of its own between two sets, and distances count them like real ones; without the shift
    the interval might not contain the score.
    """
    shifted: Segments = np.clip(values - values.mean() + score, lowest, highest)
    return shifted


def percentile_interval(values: Segments) -> tuple[float, float]:
    """Return the 95 % percentile interval of the scores of resamples."""
    return float(np.quantile(values, 0.025)), float(np.quantile(values, 0.975))
