"""Two texts as one input of a cross-encoder: special tokens, truncation, windows and batches. No model is needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from farthing.encoders.batching import padded
from farthing.encoders.tokens.tokenize import Ids, Tokenizer

INPUTS = ("input_ids", "token_type_ids", "attention_mask")
PairMatrices = dict[str, np.ndarray]  #: one matrix per name of :data:`INPUTS`


@dataclass(frozen=True, slots=True)
class PairIds:
    """One pair as token ids, and for every token the number of its text."""

    ids: Ids
    types: Ids


def pair_ids(tokenizer: Tokenizer, first: Ids, second: Ids, limit: int) -> PairIds:
    """Make the model's input of a pair, truncated to `limit` tokens with the special ones."""
    kept = longest_first(len(first), len(second), limit - special_count(tokenizer))
    return PairIds(*tokenizer.paired(first[: kept[0]], second[: kept[1]]))


def special_count(tokenizer: Tokenizer) -> int:
    """Count the special tokens of a pair."""
    return len(tokenizer.prefix) + len(tokenizer.between) + len(tokenizer.pair_suffix)


def longest_first(first: int, second: int, room: int) -> tuple[int, int]:
    """Tell how many tokens of two texts stay: the longer text is truncated first, then both alike.

    >>> longest_first(10, 90, 60), longest_first(80, 90, 61)
    ((10, 50), (30, 31))
    """
    if first + second <= room:
        return first, second
    if min(first, second) <= room // 2:
        return (first, room - first) if first <= second else (room - second, second)
    small = room // 2
    return (small, room - small) if first <= second else (room - small, small)


def pair_windows(first: Ids, second: Ids, room: int) -> list[tuple[Ids, Ids]]:
    """Split both texts into as many equal windows as are needed for each pair of windows to fit.

    >>> pair_windows([1, 2, 3, 4], [5, 6], room=4)
    [([1, 2], [5]), ([3, 4], [6])]
    """
    count = max(1, -(-(len(first) + len(second)) // room))
    while -(-len(first) // count) + -(-len(second) // count) > room:
        count += 1  # rounding up both windows may take one token too many
    return list(zip(_split(first, count), _split(second, count), strict=True))


def _split(content: Ids, count: int) -> list[Ids]:
    bounds = [round(len(content) * part / count) for part in range(count + 1)]
    return [content[begin:end] for begin, end in pairwise(bounds)]


def as_batch(rows: Sequence[PairIds], pad: int) -> PairMatrices:
    """Make the matrices that a model reads, padded on the right."""
    ids, mask = padded([row.ids for row in rows], pad)
    types, _ = padded([row.types for row in rows], 0)
    return dict(zip(INPUTS, (ids, types, mask), strict=True))
