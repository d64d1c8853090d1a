"""Rows that share texts, cut into chunks whose vectors fit in memory; chunks share texts only if they must."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

BYTES = 1 << 27  # what the vectors of one chunk may take: large enough for full batches of every length


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some rows, the texts that must be encoded for them, and those that no later chunk needs."""

    rows: list[int]
    new: list[int]
    done: list[int]


def chunks(rows: Sequence[Sequence[int]], sizes: Sequence[int], limit: int = BYTES) -> Iterator[Chunk]:
    """Cut rows into chunks.

    Rows with the same most shared text (such as one reference of five candidates) go together, so that it is
    encoded once and can be forgotten soon.

    :param rows: for each row the numbers of its texts
    :param sizes: how many bytes the vectors of each text take
    :param limit: how many bytes the vectors of a chunk may take; a single row may take more

    >>> [chunk.rows for chunk in chunks([[0, 1], [2, 3], [4, 1]], [5] * 5, limit=15)]
    [[0, 2], [1]]
    """
    uses = Counter(text for row in rows for text in row)
    keys = [max(row, key=lambda text: (uses[text], -text), default=-1) for row in rows]
    first: dict[int, int] = {}
    for place, key in enumerate(keys):
        first.setdefault(key, place)
    order = sorted(range(len(rows)), key=lambda row: (first[keys[row]], row))
    last = {text: step for step, row in enumerate(order) for text in rows[row]}
    known: set[int] = set()
    taken: list[int] = []
    new: list[int] = []
    size = 0
    for step, row in enumerate(order):
        fresh = [text for text in dict.fromkeys(rows[row]) if text not in known]
        cost = sum(sizes[text] for text in fresh)
        if taken and size + cost > limit:
            done = [text for text in known if last[text] < step]
            yield Chunk(taken, new, done)
            known.difference_update(done)
            size = sum(sizes[text] for text in known)
            taken, new = [], []
            fresh = [text for text in dict.fromkeys(rows[row]) if text not in known]
            cost = sum(sizes[text] for text in fresh)
        taken.append(row)
        new.extend(fresh)
        known.update(fresh)
        size += cost
    if taken:
        yield Chunk(taken, new, list(known))
