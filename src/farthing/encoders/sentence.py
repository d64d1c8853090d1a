"""One vector per text, by pooling the vectors of its tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from farthing.core.arrays import Vectors
from farthing.encoders.engine import Engine
from farthing.encoders.protocol import EncodedText

Pooling = Literal["mean", "max", "cls"]


def pool(text: EncodedText, layer: int, pooling: Pooling = "mean") -> Vectors:
    """Return the vector of one text; a text without tokens gets zeros.

    Mean and max run over all tokens that the model has read, special ones included, as sentence encoders are
    trained; "cls" takes the first token's vector.
    """
    return pool_states(text.states[layer], pooling)


def pool_states(states: Vectors, pooling: Pooling) -> Vectors:
    """Return one vector for the vectors of a text's tokens; zeros if there are none."""
    if not len(states):
        return np.zeros(states.shape[1], dtype=np.float32)
    pooled: Vectors = states[0] if pooling == "cls" else states.mean(0) if pooling == "mean" else states.max(0)
    return pooled


def sentence_vectors(
    engine: Engine,
    texts: Sequence[str],
    *,
    layer: int | None = None,
    pooling: Pooling = "mean",
    normalise: bool = True,
) -> Vectors:
    """Return one vector per text, in order; only these are kept in memory, not the vectors of tokens.

    :param layer: the layer to pool, the last one if not given
    :param normalise: scale every vector to length 1
    """
    layer = engine.encoder.layers[-1] if layer is None else layer
    vectors = np.zeros((len(texts), engine.encoder.dimension), dtype=np.float32)
    places: dict[str, list[int]] = {}
    for place, text in enumerate(texts):
        places.setdefault(text, []).append(place)
    for text, encoded in engine.encode(list(places), [layer]):
        vectors[places[text]] = pool(encoded, layer, pooling)
    if normalise:
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        vectors /= np.where(norms > 0, norms, 1)
    return vectors
