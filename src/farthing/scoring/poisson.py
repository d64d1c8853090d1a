"""The bootstrap in one pass: every row gets a random weight in every sample when it is seen, and is then forgotten.

The usual bootstrap draws as many rows as there are. How often one row is drawn follows, for many rows, a Poisson
distribution with mean 1, independently of all other rows; so the weights can be drawn row by row (Hanley and MacGibbon
2006; Chamandy et al. 2012). The weights depend on the seed and on the place of the row alone: every system and every
metric is weighed alike, however the rows were cut into stretches and whoever scored them.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, factorial

import numpy as np

from farthing.core.arrays import Floats

SAMPLES = 1000
BLOCK = 1024  # rows whose weights are drawn together
_STEPS = 1 << 16  # the weights are drawn with 16 random bits each


class PoissonBootstrap:
    """Weighted sums of rows, one per sample; the last column is the sum of the weights."""

    def __init__(self, width: int, seed: int) -> None:
        self.seed = seed
        self.sums: Floats = np.zeros((SAMPLES, width + 1))
        self._waiting: Floats = np.empty((0, width))
        self._block = 0

    def add(self, rows: Floats) -> None:
        """Take the next rows, one line of numbers each."""
        waiting = np.concatenate([self._waiting, rows])
        whole = len(waiting) - len(waiting) % BLOCK
        for start in range(0, whole, BLOCK):
            self.sums += self._weighed(waiting[start : start + BLOCK], self._block)
            self._block += 1
        self._waiting = waiting[whole:].copy()  # not a view, which would keep all rows in memory

    def total(self) -> Floats:
        """Return the sums over all rows so far."""
        return self.sums + self._weighed(self._waiting, self._block)

    def _weighed(self, rows: Floats, block: int) -> Floats:
        weights = _weights(self.seed, block)[:, : len(rows)].astype(np.float64)
        return np.column_stack([weights @ rows, weights.sum(axis=1)])


@lru_cache(maxsize=8)  # systems and metrics are weighed one after the other, a few blocks at a time
def _weights(seed: int, block: int) -> np.ndarray:
    generator = np.random.default_rng([seed, block])
    return _table()[generator.integers(_STEPS, size=(SAMPLES, BLOCK), dtype=np.uint16)]


@lru_cache(maxsize=1)
def _table() -> np.ndarray:
    """Return which weight each of the equally likely 16-bit numbers stands for."""
    most = 9  # heavier ones are rarer than one in a million
    shares = np.cumsum([exp(-1) / factorial(count) for count in range(most)])
    return np.searchsorted(shares, (np.arange(_STEPS) + 0.5) / _STEPS).astype(np.uint8)
