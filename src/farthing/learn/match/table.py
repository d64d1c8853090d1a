"""A table of word vectors in 2 bits per number, as a module: an exported graph does the same by ordinary operations.

Every four numbers of a row are one of 256 groups of four; each place in a row has groups of its own, which k-means
found (product quantisation, Jégou et al. 2011). A row takes a quarter of the bytes that it takes in 8 bits. What learns
above such a table should learn with the rounded rows, since then nothing is lost when it is exported.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch

from farthing.core.arrays import Indices, Matrix
from farthing.core.errors import UsageError
from farthing.encoders.folder.layout import WEIGHTS
from farthing.files.folders import new_folder
from farthing.learn.match.vocabulary import change_words

if TYPE_CHECKING:
    from transformers import PreTrainedModel

GROUP = 4  # numbers that are rounded together
GROUPS = 256  # of a place in a row: what a byte tells apart
SAMPLE = 30_000  # rows that the groups are found by
ROUNDS = 15  # of k-means
STRETCH = 20_000  # rows that are compared with all groups at a time


def in_groups(rows: Matrix, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers of the groups (uint8, one per four numbers) and the groups (float16) nearest to some rows.

    Rows that were rounded before come back as they are.

    >>> rows = np.array([[0.5, -4.0, 3.5, 0.0], [1.0, 2.0, 3.0, 4.0], [0.5, -4.0, 3.5, 0.0]], dtype=np.float32)
    >>> numbers, groups = in_groups(rows)
    >>> numbers.tolist(), groups[0, :2].tolist()
    ([[0], [1], [0]], [[0.5, -4.0, 3.5, 0.0], [1.0, 2.0, 3.0, 4.0]])
    """
    if rows.shape[1] % GROUP:
        raise UsageError(f"a table in 2 bits needs rows of a multiple of {GROUP} numbers, not of {rows.shape[1]}")
    random = np.random.default_rng(seed)
    sample = random.permutation(len(rows))[:SAMPLE]
    places = [rows[:, begin : begin + GROUP] for begin in range(0, rows.shape[1], GROUP)]
    groups = np.stack([_groups_of(place, sample) for place in places])
    numbers = np.stack([_nearest(place, own) for place, own in zip(places, groups, strict=True)], axis=1)
    return numbers.astype(np.uint8), groups


def from_groups(numbers: np.ndarray, groups: np.ndarray) -> Matrix:
    """Return the rows that numbers of groups stand for."""
    rows: Matrix = groups[np.arange(len(groups)), numbers].reshape(len(numbers), -1).astype(np.float32)
    return rows


def _groups_of(rows: Matrix, sample: Indices) -> np.ndarray:
    """Find the groups of one place: those that occur, if a byte can tell them apart, else the centres of k-means."""
    found = np.zeros((GROUPS, GROUP), dtype=np.float16)
    distinct = np.unique(rows, axis=0)
    if len(distinct) <= GROUPS:
        found[: len(distinct)] = distinct
        return found
    some = rows[sample].astype(np.float32)
    centres = some[:GROUPS].copy()  # the sample is in a random order
    for _ in range(ROUNDS):
        owners = _nearest(some, centres)
        sizes = np.bincount(owners, minlength=GROUPS)
        sums = np.stack([np.bincount(owners, weights=column, minlength=GROUPS) for column in some.T], axis=1)
        centres[sizes > 0] = (sums[sizes > 0] / sizes[sizes > 0, None]).astype(np.float32)
    found[: len(centres)] = centres
    return found


def _nearest(rows: Matrix, groups: np.ndarray) -> Indices:
    """Return the number of the group nearest to each row."""
    wide = groups.astype(np.float32)
    lengths = (wide * wide).sum(axis=1)
    stretches = [rows[begin : begin + STRETCH] for begin in range(0, len(rows), STRETCH)]
    nearest: Indices = np.concatenate([(lengths - 2 * (some @ wide.T)).argmin(axis=1) for some in stretches])
    return nearest


class GroupedTable(torch.nn.Module):
    """Rows of an embedding as numbers of groups.

    :param table: the rows in full
    """

    def __init__(self, table: torch.Tensor) -> None:
        super().__init__()
        numbers, groups = in_groups(table.detach().float().numpy())
        self.numbers = torch.nn.Buffer(torch.from_numpy(numbers))
        self.groups = torch.nn.Buffer(torch.from_numpy(groups.reshape(-1, GROUP)))
        self.begins = torch.nn.Buffer(GROUPS * torch.arange(len(groups)))  # where the groups of each place begin

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Look rows up."""
        places = torch.nn.functional.embedding(ids, self.numbers).long() + self.begins
        groups = torch.nn.functional.embedding(places, self.groups).float()
        return groups.reshape(len(ids), -1, GROUP * len(self.begins))  # a width that a graph knows beforehand


@contextmanager
def grouped_words(model: PreTrainedModel) -> Iterator[None]:
    """Let a transformer look its words up in a table of 2 bits, for as long as this is open."""
    full = model.get_input_embeddings()
    model.set_input_embeddings(GroupedTable(full.weight))
    try:
        yield
    finally:
        model.set_input_embeddings(full)


def write_rounded(start: Path, target: Path, seed: int) -> None:
    """Write a model's folder again with a table of word vectors that 2 bits lose nothing of."""

    def rounded(table: torch.Tensor) -> torch.Tensor:
        return torch.from_numpy(from_groups(*in_groups(table.float().numpy(), seed)))

    with new_folder(target, overwrite=True) as folder:
        for path in start.iterdir():
            if path.is_file() and path.name != WEIGHTS:
                shutil.copyfile(path, folder / path.name)
        change_words(start / WEIGHTS, folder / WEIGHTS, rounded)
