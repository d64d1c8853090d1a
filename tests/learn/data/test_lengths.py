"""Batches of similar length."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as some

from farthing.learn.data.lengths import WINDOW, bucketed


@given(some.lists(some.integers(1, 50), max_size=200), some.integers(1, 9), some.integers(0, 99), some.integers(0, 9))
def test_every_row_comes_once(lengths: list[int], batch: int, seed: int, epoch: int) -> None:
    order = bucketed(lengths, batch, seed, epoch)
    assert sorted(order) == list(range(len(lengths)))
    assert order == bucketed(lengths, batch, seed, epoch)


def test_within_a_window_batches_are_runs_of_the_sorted_lengths() -> None:
    lengths = list(range(4 * WINDOW))  # all rows fit into one window of batches of four
    order = bucketed(lengths, 4, seed=1, epoch=0)
    batches = [order[at : at + 4] for at in range(0, len(order), 4)]
    assert all(batch == list(range(batch[0], batch[0] + 4)) for batch in batches)
    assert [batch[0] for batch in batches] != sorted(batch[0] for batch in batches)  # but not in that order


def test_an_incomplete_batch_comes_last() -> None:
    order = bucketed([5] * 10, 4, seed=1, epoch=0)
    whole = bucketed([5] * 8, 4, seed=1, epoch=0)
    assert len(order[8:]) == 2
    assert len(whole) == 8


def test_buckets_hold_every_row_once_and_little_padding() -> None:
    lengths = np.random.default_rng(0).integers(5, 200, 4001)
    order = bucketed(lengths, 32, seed=1, epoch=0)
    assert sorted(order) == list(range(4001))
    assert order == bucketed(lengths, 32, seed=1, epoch=0) != bucketed(lengths, 32, seed=1, epoch=1)
    padded = sum(max(lengths[order[at : at + 32]]) * len(order[at : at + 32]) for at in range(0, 4001, 32))
    assert padded / lengths.sum() < 1.1
    assert len(order[4000:]) == 1  # the torn batch comes last


@given(some.lists(some.tuples(some.integers(1, 50), some.integers(0, 20)), min_size=1, max_size=200))
def test_rows_of_one_owner_stay_together(rows: list[tuple[int, int]]) -> None:
    lengths, owners = (list(column) for column in zip(*rows, strict=True))
    order = bucketed(lengths, len(rows), seed=1, epoch=0, owners=np.array(owners))
    assert sorted(order) == list(range(len(rows)))
    seen = [owners[row] for row in order]
    changes = sum(one != other for one, other in pairwise(seen))
    assert changes == len(set(owners)) - 1  # one run of rows per owner
    longest = [max(length for length, owner in rows if owner == one) for one in seen]
    assert longest == sorted(longest)
