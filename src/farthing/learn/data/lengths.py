"""Which texts go into a batch together: those of similar length. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

WINDOW = 50  # batches whose rows are sorted by length together


def bucketed(
    lengths: Sequence[int] | np.ndarray, batch: int, seed: int, epoch: int, owners: np.ndarray | None = None
) -> list[int]:
    """Return an order of the rows in which each run of `batch` rows has similar lengths, new for every epoch.

    Rows are shuffled and sorted within windows of fifty batches, then the batches are shuffled; an incomplete batch
    comes last, so that all others stay whole.

    :param owners: one number per row; rows of the same owner stay together
    """
    random = np.random.default_rng([seed, epoch])
    sizes = np.asarray(lengths)
    order = random.permutation(len(sizes))
    if owners is not None:
        order, sizes = _together(order, sizes, owners)
    runs: list[np.ndarray] = []
    for begin in range(0, len(order), batch * WINDOW):
        window = order[begin : begin + batch * WINDOW]
        window = window[np.argsort(sizes[window], kind="stable")]
        runs += [window[at : at + batch] for at in range(0, len(window), batch)]
    whole = [run for run in runs if len(run) == batch]
    rest = [run for run in runs if len(run) < batch]
    mixed = [whole[place] for place in random.permutation(len(whole))]
    return [int(row) for run in [*mixed, *rest] for row in run]


def _together(order: np.ndarray, sizes: np.ndarray, owners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Bring the rows of each owner together, and give all of them one size of their own, that of the longest."""
    _, numbers = np.unique(owners, return_inverse=True)
    longest, rank = np.zeros(len(order), dtype=np.int64), np.full(len(order), len(order))
    np.maximum.at(longest, numbers, sizes)
    np.minimum.at(rank, numbers[order], np.arange(len(order)))
    return order[np.argsort(rank[numbers[order]], kind="stable")], (longest * len(order) + rank)[numbers]
