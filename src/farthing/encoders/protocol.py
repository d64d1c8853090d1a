"""What an encoder is: token ids in, one vector per token and layer out."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Protocol, Self

import numpy as np

from farthing.core.arrays import Indices, Vectors
from farthing.core.digest import digest_files
from farthing.core.errors import SpecError
from farthing.core.specs import Value
from farthing.encoders.device import AUTO
from farthing.encoders.tokens.tokenize import Tokenizer


class Encoder(Protocol):
    """A model that gives every token of a text a vector, after each of its layers.

    Layer 0 is the embeddings, layer k the output of the k-th block.
    """

    name: str
    backend: str
    precision: str
    tokenizer: Tokenizer
    dimension: int
    layers: tuple[int, ...]  #: the layers that can be asked for
    slack: float  #: the share of padding that a batch may have; 0 if the encoder takes no padding
    tokens: int  #: the number of tokens per batch that suits it best

    def run(self, ids: Indices, mask: Indices | None, layers: Sequence[int]) -> list[Vectors]:
        """Return the states (texts by tokens by dimension) of each layer, from one pass no deeper than needed.

        :param mask: 1 for a token, 0 for padding; None if nothing is padded
        """
        ...

    def working(self) -> AbstractContextManager[None]:
        """Open a context in which several threads may call `run`, each of which uses one core."""
        ...

    def fields(self) -> dict[str, Value]:
        """Return the encoder's part of a score's signature."""
        ...


class FolderEncoder:
    """What the backends share: an encoder of a model's folder that runs on the CPU and needs no preparation.

    A backend of your own sets `backend`, `dimension` and `layers`, and writes `detects`, `files` and `run`.

    :param folder: the model's folder
    :param name: what signatures call the model
    :param leading_space: see :class:`~farthing.encoders.tokens.tokenize.Tokenizer`
    """

    backend: str
    dimension: int
    layers: tuple[int, ...]
    precision: str = "fp32"
    slack: float = 0.0
    tokens: int = 1024

    def __init__(self, folder: Path, name: str, *, leading_space: bool | None = True) -> None:
        self.folder, self.name = folder, name
        self.tokenizer = Tokenizer(folder, leading_space)

    @classmethod
    def build(cls, folder: Path, name: str, *, leading_space: bool | None, cut: int | None, device: str) -> Self:
        """Make the encoder of a folder; a backend that runs on the CPU and cannot cut models refuses to.

        :param cut: keep only this many blocks
        :param device: where to run; "auto" is the CPU here
        """
        if cut is not None or device not in ("cpu", AUTO):
            raise SpecError(f"the backend {cls.backend} runs on the CPU and cannot cut models: use backend=torch")
        return cls(folder, name, leading_space=leading_space)

    @classmethod
    def files(cls, folder: Path) -> list[Path]:
        """Name the files that hold the weights."""
        return sorted(folder.glob("*.safetensors"))

    def working(self) -> AbstractContextManager[None]:
        """Prepare nothing."""
        return nullcontext()

    @cached_property
    def weights_hash(self) -> str:
        """Twelve digits that name the content of the weights."""
        return digest_files(self.files(self.folder))

    def fields(self) -> dict[str, Value]:
        """Return the encoder's part of a score's signature."""
        return {
            "model": self.name,
            "weights": self.weights_hash,
            "tokenizer": self.tokenizer.hash,
            "space": self.tokenizer.leading_space,
            "backend": self.backend,
            "dtype": self.precision,
        }


@dataclass(slots=True)
class EncodedText:
    """The token ids of one text and, for each layer that was asked for, its token vectors; special tokens included.

    :param content: where the text's own tokens are, between the special ones
    :param cut: True if the text was longer than the model can read and lost its end
    """

    ids: Indices
    content: slice
    states: dict[int, Vectors]
    cut: bool = False
    _units: dict[int, Vectors] = field(default_factory=dict)

    def unit(self, layer: int) -> Vectors:
        """Return the token vectors of a layer scaled to length 1, special tokens included."""
        units = self._units.get(layer)
        if units is None:
            states = self.states[layer]
            norms = np.sqrt(np.einsum("td,td->t", states, states, dtype=np.float64, casting="same_kind"))
            units = self._units[layer] = states / np.maximum(norms, 1e-30).astype(np.float32)[:, None]
        return units


def checked_layers(encoder: Encoder, layers: Sequence[int]) -> tuple[int, ...]:
    """Sort layers and drop duplicates; a layer that the encoder does not have is a mistake."""
    for layer in layers:
        if layer not in encoder.layers:
            known = ", ".join(map(str, encoder.layers))
            raise SpecError(f"{encoder.name} ({encoder.backend}) has no layer {layer} (there are: {known})")
    return tuple(sorted(set(layers)))
