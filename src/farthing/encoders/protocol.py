"""What an encoder is: token ids in, one vector a token and layer out."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import numpy as np

from farthing.core.errors import SpecError
from farthing.core.specs import Value
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
    slack: float  #: the share of padding that a batch may have; 0 where nothing need be padded
    tokens: int  #: the tokens of a batch that suit it best

    def run(self, ids: np.ndarray, mask: np.ndarray | None, layers: Sequence[int]) -> list[np.ndarray]:
        """The states (texts by tokens by dimension) of each asked layer, from one pass no deeper than needed.

        :param mask: 1 where a token is, 0 where padding is; None where nothing is padded
        """
        ...

    def working(self) -> AbstractContextManager[None]:
        """Inside, `run` may be called from several threads, each of which uses one core."""
        ...

    def fields(self) -> dict[str, Value]:
        """The encoder's part of a score's signature."""
        ...


@dataclass(slots=True)
class EncodedText:
    """One text's token ids and, for each asked layer, its token vectors; special tokens included.

    :param content: where the text's own tokens are, between the special ones
    :param cut: True where the text was longer than the model can read and lost its end
    """

    ids: np.ndarray
    content: slice
    states: dict[int, np.ndarray]
    cut: bool = False
    _units: dict[int, np.ndarray] = field(default_factory=dict)

    def unit(self, layer: int) -> np.ndarray:
        """The token vectors of a layer at length 1, special tokens included."""
        found = self._units.get(layer)
        if found is None:
            states = self.states[layer]
            norms = np.sqrt(np.einsum("td,td->t", states, states, dtype=np.float64, casting="same_kind"))
            found = self._units[layer] = states / np.maximum(norms, 1e-30).astype(np.float32)[:, None]
        return found


def file_hash(*paths: Path) -> str:
    """Twelve hexadecimal digits of the content of some files."""
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()[:12]


def encoder_fields(encoder: Encoder, weights: str) -> dict[str, Value]:
    """The signature fields that all encoders share."""
    return {
        "model": encoder.name,
        "weights": weights,
        "tokenizer": encoder.tokenizer.hash,
        "space": encoder.tokenizer.leading_space,
        "backend": encoder.backend,
        "dtype": encoder.precision,
    }


def checked_layers(encoder: Encoder, layers: Sequence[int]) -> tuple[int, ...]:
    """The asked layers in order, each once, or a sentence that names those there are."""
    for layer in layers:
        if layer not in encoder.layers:
            known = ", ".join(map(str, encoder.layers))
            raise SpecError(f"{encoder.name} ({encoder.backend}) has no layer {layer} (there are: {known})")
    return tuple(sorted(set(layers)))


def layer_count(config: Mapping[str, object]) -> int | None:
    """How many blocks a model's config says its encoder has."""
    for key in ("num_hidden_layers", "encoder_layers", "n_layers", "n_layer", "num_layers"):
        value = config.get(key)
        if isinstance(value, int):
            return value
    return None
