"""Scored pairs as training reads them: token ids and a target, and batches as tensors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from farthing.core.errors import InputError
from farthing.encoders.batching import unique
from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.students.pair_ids import PairIds, as_batch, pair_ids

if TYPE_CHECKING:
    import torch


class PairDataset:
    """Pairs as token ids with their targets, by row."""

    def __init__(self, rows: Sequence[PairIds], targets: np.ndarray) -> None:
        self.rows, self.targets = rows, targets.astype(np.float32)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: int) -> tuple[PairIds, float]:
        return self.rows[place], float(self.targets[place])

    @property
    def lengths(self) -> np.ndarray:
        """The number of tokens of every pair."""
        return np.array([len(row.ids) for row in self.rows])


def tokenised(folder: Path, candidates: Sequence[str], references: Sequence[str], limit: int) -> list[PairIds]:
    """Tokenise pairs exactly as the model of a folder does when it scores."""
    tokenizer = Tokenizer(folder, leading_space=False)
    limit = min(limit, tokenizer.limit)
    distinct, places = unique([*candidates, *references])
    contents = tokenizer.contents(distinct)
    count = len(candidates)
    return [
        pair_ids(tokenizer, contents[first], contents[second], limit)
        for first, second in zip(places[:count], places[count:], strict=True)
    ]


class Collate:
    """Turns a batch into tensors.

    :param typed: the model distinguishes the first text from the second by token types
    """

    def __init__(self, pad: int, typed: bool) -> None:
        self.pad, self.typed = pad, typed

    def __call__(self, items: Sequence[tuple[PairIds, float]]) -> dict[str, torch.Tensor]:
        """Return padded matrices, and the targets under "labels"."""
        import torch

        batch = as_batch([row for row, _ in items], self.pad)
        if not self.typed:
            del batch["token_type_ids"]
        tensors = {name: torch.from_numpy(value) for name, value in batch.items()}
        return {**tensors, "labels": torch.tensor([target for _, target in items], dtype=torch.float32)}


def held_out(documents: Sequence[str], share: float, most: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Split the rows into those to train on and those to hold out; no document is on both sides.

    :param share: the share of the rows that are held out
    :param most: the most rows that are held out
    """
    names, owners = unique(documents)
    random = np.random.default_rng([seed, 1])
    sizes = np.bincount(owners)
    order = random.permutation(len(names))
    wanted = min(most, share * len(documents))
    chosen = order[: max(1, int(np.searchsorted(np.cumsum(sizes[order]), wanted)))]
    out = np.isin(owners, chosen)
    if out.all():
        raise InputError("all pairs belong to one document: none can be held out", remedy="give several documents")
    return np.flatnonzero(~out), np.flatnonzero(out)


def check_targets(targets: np.ndarray, path: str) -> None:
    """Raise if there is nothing to learn."""
    if len(targets) < 2:
        raise InputError("there is only one pair", path=path, remedy="give at least two pairs with different scores")
    if np.ptp(targets) < 1e-9:
        raise InputError(
            f"all scores are the same ({targets[0]:g}): there is nothing to learn",
            path=path,
            remedy="annotate other pairs, or choose another teacher",
        )
