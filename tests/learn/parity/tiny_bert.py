"""A tiny BERT whose weights follow from its parameters' names, so that two programs can make the same one.

It needs numpy alone: the programs of the parity environment and of the tests both import it.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence

import numpy as np

SHAPE = {
    "vocab_size": 60,
    "hidden_size": 128,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 256,
    "max_position_embeddings": 40,
    "type_vocab_size": 2,
    "pad_token_id": 0,
}
SPECIALS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
VOCABULARY = [*SPECIALS, *(f"w{number}" for number in range(SHAPE["vocab_size"] - len(SPECIALS)))]
#: lists of ids, special tokens included; the texts of a batch differ in length, so that padding counts
CANDIDATES = [[2, 7, 30, 41, 9, 3], [2, 11, 12, 3], [2, 50, 51, 8, 8, 6, 29, 3]]
REFERENCES = [[2, 7, 31, 41, 3], [2, 11, 40, 12, 33, 3], [2, 50, 52, 8, 3]]
SOURCES = [[2, 20, 21, 3], [2, 22, 23, 24, 25, 26, 3], [2, 27, 28, 3]]


def values(name: str, shape: Sequence[int], sigma: float = 0.1) -> np.ndarray:
    """Return the numbers of a parameter: normal, and around 1 for the scale of a norm."""
    random = np.random.default_rng(zlib.crc32(name.encode()))
    centre = 1.0 if "norm" in name.lower() and name.endswith("weight") else 0.0
    return (centre + sigma * random.normal(size=tuple(shape))).astype(np.float32)


def filled(shapes: Mapping[str, Sequence[int]], sigma: float = 0.1) -> dict[str, np.ndarray]:
    """Return the numbers of several parameters by name."""
    return {name: values(name, shape, sigma) for name, shape in shapes.items()}


def padded(rows: Sequence[Sequence[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Return a matrix of ids, filled up with 0, and its mask."""
    longest = max(map(len, rows))
    ids = np.zeros((len(rows), longest), dtype=np.int64)
    mask = np.zeros_like(ids)
    for place, row in enumerate(rows):
        ids[place, : len(row)] = row
        mask[place, : len(row)] = 1
    return ids, mask
