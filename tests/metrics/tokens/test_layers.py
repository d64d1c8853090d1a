"""Which layers are read, by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from farthing.core.errors import SpecError
from farthing.encoders.protocol import Encoder
from farthing.metrics.tokens.layers import last_layers


def encoder(*layers: int) -> Encoder:
    return cast(Encoder, SimpleNamespace(name="x", backend="y", layers=layers))


@pytest.mark.parametrize(
    ("layer", "count", "embeddings", "expected"),
    [
        (None, 1, False, (4,)),
        (None, 3, False, (2, 3, 4)),
        (2, 2, False, (1, 2)),
        (None, 9, False, (1, 2, 3, 4)),
        (None, 9, True, (0, 1, 2, 3, 4)),
        (0, 3, False, (0,)),
    ],
)
def test_the_last_layers(layer: int | None, count: int, embeddings: bool, expected: tuple[int, ...]) -> None:
    assert last_layers(encoder(0, 1, 2, 3, 4), layer, count, embeddings=embeddings) == expected


def test_static_vectors_have_one_layer() -> None:
    assert last_layers(encoder(0), None, 5) == (0,)


def test_wrong_layers_are_sentences() -> None:
    with pytest.raises(SpecError, match=r"no layer 7 \(there are: 0, 1\)"):
        last_layers(encoder(0, 1), 7)
    with pytest.raises(SpecError, match="at least 1"):
        last_layers(encoder(0, 1), None, 0)
