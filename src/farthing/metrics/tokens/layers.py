"""Which layers of an encoder a metric reads."""

from __future__ import annotations

from farthing.core.errors import SpecError
from farthing.encoders.protocol import Encoder, checked_layers


def last_layers(encoder: Encoder, layer: int | None, count: int = 1, *, embeddings: bool = False) -> tuple[int, ...]:
    """Return the given layer, or the last one if None, and as many before it as make `count` layers.

    A model with fewer layers gives all of them but the embeddings; static vectors have only one layer.

    :param embeddings: the embeddings count as a layer, too
    """
    top = encoder.layers[-1] if layer is None else layer
    checked_layers(encoder, [top])
    below = [known for known in encoder.layers if known <= top and (known > 0 or known == top or embeddings)]
    if count < 1:
        raise SpecError("the number of layers to join must be at least 1")
    return tuple(below[-count:])
