"""Rows that an estimator learns from: a candidate, what it is compared with, and a target; as token ids and batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from farthing.core.arrays import Indices, Segments
from farthing.core.types import Need
from farthing.encoders.batching import padded, unique
from farthing.encoders.tokens.tokenize import Ids, Tokenizer
from farthing.learn.data.humans import Judged
from farthing.learn.data.lengths import bucketed

if TYPE_CHECKING:
    from farthing.learn.regress.model import RowBatch


@dataclass(frozen=True, slots=True)
class ScoredRows:
    """Texts with targets.

    :param texts: one tuple per row: the candidate, then what it is compared with
    """

    texts: list[tuple[str, ...]]
    targets: Segments

    def __len__(self) -> int:
        return len(self.texts)

    @classmethod
    def judged(cls, data: Judged, inputs: Sequence[Need], targets: Segments | None = None) -> ScoredRows:
        """Take judged rows, one per reference if references are compared with.

        :param targets: by default the scores as they are
        """
        values = data.scores if targets is None else targets
        texts: list[tuple[str, ...]] = []
        owners: list[int] = []
        for row, candidate in enumerate(data.candidates):
            for reference in data.references[row] if "reference" in inputs else [""]:
                sides = {"reference": reference, "source": data.sources[row] if data.sources else ""}
                texts.append((candidate, *(sides[side] for side in inputs)))
                owners.append(row)
        return cls(texts, values[owners])

    @classmethod
    def joined(cls, parts: Sequence[ScoredRows]) -> ScoredRows:
        """Put several sets together."""
        return cls([row for part in parts for row in part.texts], np.concatenate([part.targets for part in parts]))


class TokenRows:
    """Scored rows as token ids; every distinct text is held once.

    :param limit: the most tokens of a text, special ones included
    """

    def __init__(self, folder: Path, rows: ScoredRows, limit: int) -> None:
        tokenizer = Tokenizer(folder, leading_space=False)
        room = min(limit, tokenizer.limit) - len(tokenizer.prefix) - len(tokenizer.suffix)
        distinct, places = unique(text for row in rows.texts for text in row)
        self.contents: list[Ids] = [tokenizer.wrapped(ids[:room]) for ids in tokenizer.contents(distinct)]
        self.places: Indices = places.reshape(len(rows), -1)
        self.targets = rows.targets.astype(np.float32)  # as precise as the model's own numbers, unlike COMET's halves
        self.pad = tokenizer.pad

    def __len__(self) -> int:
        return len(self.places)

    @property
    def lengths(self) -> Indices:
        """The number of tokens of the longest text of every row."""
        sizes = np.array([len(ids) for ids in self.contents])
        return np.asarray(sizes[self.places].max(axis=1))

    def batches(self, size: int, seed: int, epoch: int) -> list[list[int]]:
        """Put the rows of an epoch into batches of about the same length.

        Outputs that are compared with the same text stay together: it is encoded once for all of them, and an output
        and its damaged form are seen side by side.
        """
        rows = bucketed(self.lengths, size, seed, epoch, owners=self.places[:, 1])
        return [rows[begin : begin + size] for begin in range(0, len(rows), size)]

    def batch(self, rows: Sequence[int]) -> RowBatch:
        """Make tensors of some rows; a text that several of them share is encoded once."""
        import torch

        from farthing.learn.regress.model import RowBatch

        distinct, places = np.unique(self.places[list(rows)], return_inverse=True)
        ids, mask = padded([self.contents[place] for place in distinct], self.pad)
        return RowBatch(
            torch.from_numpy(ids),
            torch.from_numpy(mask),
            torch.from_numpy(places.reshape(len(rows), -1)),
            torch.from_numpy(self.targets[list(rows)]),
        )
