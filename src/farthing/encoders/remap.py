"""Cross-lingual remapping: move a language's vectors to where those of its translations are.

Two ways (Zhao et al. 2020): CLP rotates and mirrors the space by an orthogonal matrix, UMD removes the one direction
in which the two languages differ most. `farthing learn remap` learns either.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from farthing.core.arrays import Matrix, Vectors
from farthing.core.digest import digest
from farthing.core.errors import InputError, ModelError
from farthing.encoders.protocol import Encoder
from farthing.files.write import replacing

Method = Literal["clp", "umd"]


@dataclass(frozen=True, slots=True)
class Remap:
    """A learned map of vectors.

    :param table: for CLP the matrix that vectors (as rows) are multiplied by; for UMD the direction of length 1
        that is removed
    :param weights: the hash of the encoder's weights that the map was learned with; empty if unknown
    :param layer: the layer that it was learned with; -1 if unknown
    """

    method: Method
    table: Matrix
    weights: str = ""
    layer: int = -1

    def __call__(self, vectors: Vectors) -> npt.NDArray[np.float64]:
        """Move vectors to where the map puts them.

        >>> Remap("umd", np.array([1.0, 0.0]))(np.array([[3.0, 4.0]])).tolist()
        [[0.0, 4.0]]
        """
        vectors = np.asarray(vectors, dtype=np.float64)
        if self.method == "clp":
            return np.asarray(vectors @ self.table)
        return np.asarray(vectors - np.outer(vectors @ self.table, self.table))

    @property
    def hash(self) -> str:
        """Twelve digits that name the map."""
        return digest(np.ascontiguousarray(self.table, dtype="<f4").tobytes())

    def save(self, path: str | Path) -> None:
        """Write the map as a safetensors file."""
        from safetensors.numpy import save

        facts = {"weights": self.weights, "layer": str(self.layer), "method": self.method}
        with replacing(path) as stream:
            stream.write(save({"table": np.ascontiguousarray(self.table, dtype=np.float32)}, metadata=facts))

    @classmethod
    def load(cls, path: str | Path, encoder: Encoder | None = None, layer: int | None = None) -> Remap:
        """Read a map, either a file that `save` wrote or a .npy table as XMoverScore's authors publish them.

        :param encoder: the one whose vectors are to be moved; a map that was learned with another is refused
        :param layer: the layer whose vectors are to be moved; a map that was learned with another is refused
        """
        remap = _read_table(Path(path)) if str(path).endswith(".npy") else _read_file(Path(path))
        if encoder is not None:
            remap.check(path, encoder, layer)
        return remap

    def check(self, path: str | Path, encoder: Encoder, layer: int | None) -> None:
        """Raise an error if the map does not belong to an encoder's layer."""
        if len(self.table) != encoder.dimension:
            raise ModelError(f"{path} maps {len(self.table)} dimensions, {encoder.name} has {encoder.dimension}")
        own = str(encoder.fields().get("weights", ""))
        if self.weights and self.weights != own:
            raise ModelError(f"{path} was learned with other weights than those of {encoder.name}: learn it again")
        if layer is not None and self.layer >= 0 and self.layer != layer:
            raise ModelError(f"{path} was learned at layer {self.layer}, not {layer}: use layer={self.layer}")


def unit(direction: Vectors) -> Vectors:
    """Scale a direction to length 1."""
    return np.asarray(direction / np.linalg.norm(direction), dtype=np.float64)


def _read_file(path: Path) -> Remap:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as stored:
            facts, table = stored.metadata() or {}, np.asarray(stored.get_tensor("table"), dtype=np.float64)
        method: Method = "clp" if table.ndim == 2 else "umd"
        return Remap(method, table if method == "clp" else unit(table), facts.get("weights", ""), int(facts["layer"]))
    except (OSError, SafetensorError, KeyError, ValueError) as error:
        remedy = "make one with `farthing learn remap`"
        raise InputError(f"not a remapping: {error}", path=str(path), remedy=remedy) from error


def _read_table(path: Path) -> Remap:
    try:
        table = np.load(path, allow_pickle=False).astype(np.float64)
    except (OSError, ValueError) as error:
        raise InputError(f"not a table of numbers: {error}", path=str(path)) from error
    if table.ndim == 2 and table.shape[0] == table.shape[1]:
        return Remap("clp", table)
    if table.ndim in (1, 2) and table.size:
        return Remap("umd", unit(table if table.ndim == 1 else table[0]))
    raise InputError(f"a remapping has one or two dimensions, not {table.ndim}", path=str(path))
