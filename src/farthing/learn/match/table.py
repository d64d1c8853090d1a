"""A table of word vectors in 4 bits, as a module: an exported graph computes what it computes, by ordinary operations.

Every block of 32 numbers of a row has one scale in 16 bits; a number is its block's scale times a whole number from -8
to 7. Files of weights in the format Q4_0 are made by the same rule, so tables that were read from them lose nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
import torch

from farthing.core.arrays import Matrix
from farthing.core.errors import UsageError

if TYPE_CHECKING:
    from transformers import PreTrainedModel

BLOCK = 32  # numbers with one scale
LOWEST, HIGHEST = -8, 7  # whole numbers of 4 bits


def in_blocks(rows: Matrix) -> tuple[np.ndarray, np.ndarray]:
    """Return the whole numbers (int8, shape of the rows) and the scales (float16, one per block) nearest to some rows.

    The number of largest magnitude in a block becomes -8, so the scale has the opposite sign.

    >>> rows = np.tile(np.float32([0.5, -4.0, 3.5, 0.0]), (1, 8))
    >>> numbers, scales = in_blocks(rows)
    >>> numbers[0, :4].tolist(), scales.tolist()
    ([1, -8, 7, 0], [[0.5]])
    """
    if rows.shape[1] % BLOCK:
        raise UsageError(f"a table in 4 bits needs rows of a multiple of {BLOCK} numbers, not of {rows.shape[1]}")
    blocks = rows.reshape(len(rows), -1, BLOCK)
    largest = np.take_along_axis(blocks, np.abs(blocks).argmax(axis=2)[..., None], axis=2)
    scales = (largest / LOWEST).astype(np.float16)
    steps = scales.astype(np.float32)
    whole = np.rint(np.divide(blocks, steps, out=np.zeros_like(blocks), where=steps != 0))
    numbers = np.clip(whole, LOWEST, HIGHEST).astype(np.int8)
    return numbers.reshape(rows.shape), scales[..., 0]


class FourBitTable(torch.nn.Module):
    """Rows of an embedding in 4 bits: a byte holds a number of the row's first half, and one of its second half.

    :param table: the rows in full
    """

    def __init__(self, table: torch.Tensor) -> None:
        super().__init__()
        numbers, scales = in_blocks(table.detach().float().numpy())
        first, second = np.split((numbers - LOWEST).astype(np.uint8), 2, axis=1)
        self.pairs = torch.nn.Buffer(torch.from_numpy(first + 16 * second))
        self.scales = torch.nn.Buffer(torch.from_numpy(scales))

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Look rows up."""
        pairs = torch.nn.functional.embedding(ids, self.pairs).float()
        second = torch.floor(pairs / 16)
        numbers = torch.cat([pairs - 16 * second, second], dim=-1) + LOWEST
        scales = torch.nn.functional.embedding(ids, self.scales).float()
        blocks = numbers.reshape(len(ids), -1, self.scales.shape[1], BLOCK)  # lengths that a graph knows beforehand
        return (blocks * scales[..., None]).reshape(len(ids), -1, 2 * self.pairs.shape[1])


@contextmanager
def four_bit_words(model: PreTrainedModel) -> Iterator[None]:
    """Let a transformer look its words up in a table of 4 bits, for as long as this is open."""
    full = model.get_input_embeddings()
    model.set_input_embeddings(FourBitTable(full.weight))
    try:
        yield
    finally:
        model.set_input_embeddings(full)
