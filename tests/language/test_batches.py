"""Batches that shrink if memory runs out, and likelihoods written out."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
import torch

from farthing.core.errors import ModelError
from farthing.language.batches import is_out_of_memory, mean_log_likelihoods, padded_tensors, run_batches


def test_every_row_gets_its_number_whatever_the_batches() -> None:
    lengths = [3, 50, 7, 7, 1]
    for tokens in (1, 10, 1000):
        assert run_batches(lambda rows: [10.0 * row for row in rows], lengths, tokens).tolist() == [0, 10, 20, 30, 40]
    assert run_batches(lambda rows: [], []).tolist() == []


OUT = [MemoryError(), RuntimeError("CUDA out of memory. Tried"), RuntimeError("CPUAllocator: not enough memory")]


@pytest.mark.parametrize("error", OUT)
def test_a_batch_that_does_not_fit_is_halved(error: BaseException) -> None:
    sizes: list[int] = []

    def work(rows: list[int]) -> Sequence[float]:
        sizes.append(len(rows))
        if len(rows) > 2:
            raise error
        return [float(row) for row in rows]

    assert run_batches(work, [5] * 8).tolist() == list(range(8))
    assert sizes == [8, 4, 2, 2, 4, 2, 2]


def test_a_row_that_does_not_fit_alone_is_a_sentence_and_other_errors_pass() -> None:
    def too_large(rows: list[int]) -> Sequence[float]:
        raise MemoryError

    def broken(rows: list[int]) -> Sequence[float]:
        raise RuntimeError("shapes differ")

    with pytest.raises(ModelError, match="a single text needs more memory than there is"):
        run_batches(too_large, [5, 5])
    with pytest.raises(RuntimeError, match="shapes differ"):
        run_batches(broken, [5, 5])
    assert not is_out_of_memory(ValueError("memory"))


def test_likelihoods_written_out() -> None:
    labels, counted = padded_tensors([[1, 0], [2]], 0, "cpu")
    assert (labels.tolist(), counted.tolist()) == ([[1, 0], [2, 0]], [[1, 1], [1, 0]])
    logits = np.random.default_rng(0).normal(size=(2, 2, 3))
    chances = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    expected = [(math.log(chances[0, 0, 1]) + math.log(chances[0, 1, 0])) / 2, math.log(chances[1, 0, 2])]
    assert mean_log_likelihoods(torch.from_numpy(logits), labels, counted) == pytest.approx(expected, abs=1e-6)
