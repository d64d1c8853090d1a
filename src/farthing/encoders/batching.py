"""Texts into batches: each distinct text once, equal lengths together, a budget of tokens per batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from farthing.core.arrays import Indices

TOKENS = 1024  # a batch this large keeps one core busy and its activations inside the cache
SLACK = 0.0  # the share of padding that a batch may have


def unique(texts: Iterable[str]) -> tuple[list[str], Indices]:
    """Return the distinct texts in order of appearance, and for every text its place among them.

    >>> unique(["b", "a", "b"])
    (['b', 'a'], array([0, 1, 0]))
    """
    places: dict[str, int] = {}
    inverse = [places.setdefault(text, len(places)) for text in texts]
    return list(places), np.asarray(inverse, dtype=np.int64)


def batches(lengths: Sequence[int], tokens: int = TOKENS, slack: float = SLACK) -> Iterator[list[int]]:
    """Cut rows of these token lengths into batches, longest first.

    A batch holds at most `tokens` tokens, padding included, but always at least one row. No row is shorter than
    the longest of its batch by more than the share `slack`; without slack nothing is ever padded.

    :returns: the row numbers of each batch

    >>> list(batches([3, 7, 3, 2], tokens=6))
    [[1], [0, 2], [3]]
    """
    order = sorted(range(len(lengths)), key=lambda row: -lengths[row])
    batch: list[int] = []
    for row in order:
        longest = lengths[batch[0]] if batch else 0
        if batch and ((len(batch) + 1) * longest > tokens or lengths[row] < longest * (1 - slack)):
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def padded(rows: Sequence[Sequence[int]], fill: int, side: str = "right") -> tuple[Indices, Indices]:
    """Put rows of token ids into one matrix, and make its mask: 1 for a token, 0 for padding.

    :param side: where the padding goes, "right" or "left"

    >>> padded([[5, 6], [7]], fill=0)[0].tolist()
    [[5, 6], [7, 0]]
    """
    longest = max(map(len, rows))
    ids = np.full((len(rows), longest), fill, dtype=np.int64)
    mask = np.zeros_like(ids)
    for place, row in enumerate(rows):
        part = slice(0, len(row)) if side == "right" else slice(longest - len(row), longest)
        ids[place, part] = row
        mask[place, part] = 1
    return ids, mask
