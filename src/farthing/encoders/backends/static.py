"""Static token vectors in model2vec's format: one vector per token, whatever its context."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from farthing.core.arrays import Indices, Vectors, Weights
from farthing.core.errors import ModelError
from farthing.encoders.folder.layout import STATIC, WEIGHTS, ModelFolder
from farthing.encoders.protocol import FolderEncoder

_NO_LIMIT = 1 << 40  # tokens of a text


class StaticEncoder(FolderEncoder):
    """Token vectors looked up in a table; the only layer is 0 and no text is too long.

    A folder may also hold a weight for each token and a mapping of ids to rows, as newer models do.
    """

    backend = "static"
    layers = (0,)
    tokens = 1 << 16

    def __init__(self, folder: Path, name: str, *, leading_space: bool | None = True) -> None:
        super().__init__(folder, name, leading_space=leading_space)
        self.tokenizer.prefix, self.tokenizer.suffix = [], []  # a special token has nothing to gather from its text
        self.tokenizer.limit = _NO_LIMIT
        tables = _read_tables(folder / WEIGHTS)
        self.vectors: Vectors = tables["embeddings"].astype(np.float32)
        self._rows: Indices | None = tables.get("mapping")
        self._weights: Weights | None = None
        if (weights := tables.get("weights")) is not None:
            scale = weights.astype(np.float32)
            if self._rows is None:
                self.vectors = self.vectors * scale[:, None]
            else:
                self._weights = scale
        self.dimension = int(self.vectors.shape[1])

    @classmethod
    def detects(cls, folder: Path) -> bool:
        """Tell whether the folder is one of model2vec's."""
        return ModelFolder(folder).family == STATIC

    @classmethod
    def files(cls, folder: Path) -> list[Path]:
        """Name the file of the tables."""
        return [folder / WEIGHTS]

    def run(self, ids: Indices, mask: Indices | None, layers: Sequence[int]) -> list[Vectors]:
        """Return the vectors of the tokens, once for each time layer 0 is asked for."""
        vectors = self.vectors[ids if self._rows is None else self._rows[ids]]
        if self._weights is not None:
            vectors = vectors * self._weights[ids][..., None]
        return [vectors for _ in layers]


def _read_tables(path: Path) -> dict[str, np.ndarray]:
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        tables: dict[str, np.ndarray] = load_file(path)
    except (OSError, SafetensorError) as error:
        raise ModelError(f"{path} cannot be read: {error}") from error
    if "embeddings" not in tables:
        raise ModelError(f"{path} has no table called 'embeddings': is it a model2vec folder?")
    return tables
