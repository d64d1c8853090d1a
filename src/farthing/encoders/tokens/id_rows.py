"""The ids of several texts in one array, so that no Python loop runs over them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from farthing.core.arrays import Indices, Mask

Ids = list[int]  #: the ids of one text


@dataclass(frozen=True, slots=True)
class IdRows:
    """The ids of several texts; there may be others between them.

    :param ids: those of all texts
    :param starts: the place of each text's first id
    :param sizes: how many ids each text has
    """

    ids: Indices
    starts: Indices
    sizes: Indices

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]]) -> IdRows:
        """Put the ids of texts into one array."""
        sizes = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
        ids = np.fromiter(chain.from_iterable(rows), dtype=np.int64, count=int(sizes.sum()))
        return cls(ids, np.cumsum(sizes) - sizes, sizes)

    def __len__(self) -> int:
        return len(self.sizes)

    def __getitem__(self, row: int) -> Ids:
        ids: Ids = self.ids[self.starts[row] : self.starts[row] + self.sizes[row]].tolist()
        return ids

    def __iter__(self) -> Iterator[Ids]:
        every: Ids = self.ids.tolist()
        ends = (self.starts + self.sizes).tolist()
        return (every[start:end] for start, end in zip(self.starts.tolist(), ends, strict=True))

    def chosen(self, rows: Indices) -> IdRows:
        """Return some texts, in this order and with nothing between them."""
        sizes = self.sizes[rows]
        starts = np.cumsum(sizes) - sizes
        return IdRows(self.ids[_places(self.starts[rows], starts, sizes)], starts, sizes)

    def joined(self, sizes: Indices) -> IdRows:
        """Return longer texts, each of which is some of these one after the other, with nothing between them.

        :param sizes: how many of these each of them is
        """
        ends = np.concatenate([[0], np.cumsum(self.sizes)])[np.cumsum(sizes)]
        lengths = np.diff(ends, prepend=0)
        return IdRows(self.ids, ends - lengths, lengths)

    def wrapped(self, before: Sequence[int], behind: Sequence[int]) -> IdRows:
        """Return the texts with the same ids put before and behind each of them."""
        sizes = self.sizes + (len(before) + len(behind))
        ends = np.cumsum(sizes)
        starts, inner = ends - sizes, ends - sizes + len(before)
        ids = np.empty(int(sizes.sum()), dtype=np.int64)
        ids[_places(inner, np.cumsum(self.sizes) - self.sizes, self.sizes)] = self.chosen(np.arange(len(self))).ids
        for place, number in enumerate(before):
            ids[starts + place] = number
        for place, number in enumerate(behind, -len(behind)):
            ids[ends + place] = number
        return IdRows(ids, starts, sizes)

    def cut(self, most: int) -> IdRows:
        """Return the texts without the ids behind the first `most`."""
        return IdRows(self.ids, self.starts, np.minimum(self.sizes, most))


def appended(some: IdRows, others: IdRows) -> IdRows:
    """Put other texts behind some."""
    starts = np.concatenate([some.starts, others.starts + len(some.ids)])
    return IdRows(np.concatenate([some.ids, others.ids]), starts, np.concatenate([some.sizes, others.sizes]))


def interleaved(chosen: Mask, some: IdRows, others: IdRows) -> IdRows:
    """Put the chosen texts among the others, in the order of the mask."""
    every, place = appended(some, others), np.empty(len(chosen), np.int64)
    place[chosen], place[~chosen] = np.arange(len(some)), np.arange(len(some), len(chosen))
    return IdRows(every.ids, every.starts[place], every.sizes[place])


def _places(starts: Indices, others: Indices, sizes: Indices) -> Indices:
    """Return the places of the ids of texts, given where each starts and where it starts with nothing between."""
    places: Indices = np.arange(int(sizes.sum())) + np.repeat(starts - others, sizes)
    return places
