"""Tables of word vectors in 4 bits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from farthing.core.errors import UsageError
from farthing.learn.match.table import BLOCK, FourBitTable, four_bit_words, in_blocks
from farthing.learn.match.tokens import load_transformer


def made_rows(count: int, blocks: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Whole numbers with a -8 in every block, scales of either sign, and the rows that they stand for."""
    random = np.random.default_rng(seed)
    numbers = random.integers(-8, 8, (count, blocks, BLOCK))
    np.put_along_axis(numbers, random.integers(0, BLOCK, (count, blocks, 1)), -8, axis=2)
    scales = (random.normal(size=(count, blocks)) / 7).astype(np.float16)
    rows = numbers.astype(np.float32) * scales.astype(np.float32)[..., None]
    return numbers.reshape(count, -1), scales, rows.reshape(count, -1)


def test_rows_that_were_stored_in_4_bits_are_recovered() -> None:
    numbers, scales, rows = made_rows(200, 3)
    found, steps = in_blocks(rows)
    assert np.array_equal(found, numbers)
    assert np.array_equal(steps, scales)


def test_other_rows_are_a_step_off_at_most() -> None:
    rows = np.random.default_rng(2).normal(size=(100, 64)).astype(np.float32)
    rows[3, :32] = 0
    numbers, scales = in_blocks(rows)
    steps = np.repeat(scales.astype(np.float32), BLOCK, axis=1)
    error = np.abs(numbers * steps - rows)
    assert (error <= 1.01 * np.abs(steps)).all()  # a value as large as the largest one, but of the other sign
    assert (error <= 0.51 * np.abs(steps)).mean() > 0.98
    assert not (numbers[3, :32] * steps[3, :32]).any()


def test_a_row_needs_whole_blocks() -> None:
    with pytest.raises(UsageError, match="multiple of 32 numbers, not of 48"):
        in_blocks(np.ones((2, 48), np.float32))


@pytest.mark.parametrize("blocks", [1, 2, 3])
def test_the_module_looks_rows_up(blocks: int) -> None:
    _, _, rows = made_rows(40, blocks)
    ids = torch.tensor([[0, 39, 7, 7, 21]])
    table = FourBitTable(torch.from_numpy(rows))
    assert np.array_equal(table(ids).numpy(), rows[ids.numpy()])
    assert table.pairs.numel() == rows.size / 2


def test_the_full_table_comes_back(encoder: Path) -> None:
    model = load_transformer(encoder, 1)
    full = model.get_input_embeddings()
    with four_bit_words(model):
        assert isinstance(model.get_input_embeddings(), FourBitTable)
    assert model.get_input_embeddings() is full


def test_the_multilingual_table_loses_nothing(multilingual: Path) -> None:
    """Its weights were stored in 4 bits, so every number of the first rows comes back bit by bit."""
    from safetensors import safe_open

    with safe_open(multilingual / "model.safetensors", "np") as weights:
        rows = weights.get_slice("embeddings.word_embeddings.weight")[:3000]
    numbers, scales = in_blocks(rows)
    assert np.array_equal(numbers * np.repeat(scales.astype(np.float32), BLOCK, axis=1), rows)
