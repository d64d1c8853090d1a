"""Static token vectors in model2vec's format: one vector a token, whatever stands around it."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from farthing.core.errors import ModelError
from farthing.core.specs import Value
from farthing.encoders.protocol import encoder_fields, file_hash
from farthing.encoders.tokens.tokenize import Tokenizer


class StaticEncoder:
    """Token vectors looked up in a table; the only layer is 0 and no text is too long.

    A folder may also carry a weight for each token and a mapping of ids to rows, as newer models have them.
    """

    backend = "static"
    precision = "fp32"
    layers: tuple[int, ...] = (0,)
    slack = 0.0
    tokens = 1 << 16

    def __init__(self, folder: Path, name: str, *, leading_space: bool | None = True) -> None:
        self.folder, self.name = folder, name
        self.tokenizer = Tokenizer(folder, leading_space)
        self.tokenizer.prefix, self.tokenizer.suffix = [], []  # a special token has nothing to gather from its text
        self.tokenizer.limit = 1 << 40
        tables = _read_tables(folder)
        self.vectors = tables["embeddings"].astype(np.float32)
        self._rows = tables.get("mapping")
        if (weights := tables.get("weights")) is not None:
            scale = np.asarray(weights, dtype=np.float32)
            self.vectors = self.vectors * scale[:, None] if self._rows is None else self.vectors
            self._weights: np.ndarray | None = None if self._rows is None else scale
        else:
            self._weights = None
        self.dimension = int(self.vectors.shape[1])

    def run(self, ids: np.ndarray, mask: np.ndarray | None, layers: Sequence[int]) -> list[np.ndarray]:
        """The vectors of the tokens, once for each time layer 0 is asked for."""
        rows = ids if self._rows is None else self._rows[ids]
        found = self.vectors[rows]
        if self._weights is not None:
            found = found * self._weights[ids][..., None]
        return [found for _ in layers]

    def working(self) -> contextlib.AbstractContextManager[None]:
        """Nothing needs to be prepared."""
        return contextlib.nullcontext()

    @cached_property
    def weights_hash(self) -> str:
        """Twelve digits of the hash of the table."""
        return file_hash(self.folder / "model.safetensors")

    def fields(self) -> dict[str, Value]:
        """The encoder's part of a score's signature."""
        return encoder_fields(self, self.weights_hash)


def _read_tables(folder: Path) -> dict[str, Any]:
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    path = folder / "model.safetensors"
    try:
        tables: dict[str, Any] = load_file(path)
    except (OSError, SafetensorError) as error:
        raise ModelError(f"{path} cannot be read: {error}") from error
    if "embeddings" not in tables:
        raise ModelError(f"{path} has no table called 'embeddings': is it a model2vec folder?")
    return tables
