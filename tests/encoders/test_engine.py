"""Many texts through one encoder: each once, in any batch, cut or read in windows, by any number of threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import InputError, SpecError
from farthing.encoders.backends.torch import TorchEncoder
from farthing.encoders.engine import Engine
from farthing.encoders.tokens.windows import windows

TEXTS = ["the cat sat on the mat", "rain", "", "the cat sat on the mat", "nobody expected the old bridge"]


@pytest.fixture
def encoder(tiny_model: Callable[..., Path]) -> TorchEncoder:
    return TorchEncoder(tiny_model("bert"), "tiny")


def alone(encoder: TorchEncoder, content: Sequence[int], layer: int) -> np.ndarray:
    """One content in a pass of its own."""
    return encoder.run(np.array([encoder.tokenizer.wrapped(list(content))]), None, [layer])[0][0]


@pytest.mark.parametrize("threads", [1, 2])
def test_each_distinct_text_once_and_free_of_its_batch(encoder: TorchEncoder, threads: int) -> None:
    encoded = list(Engine(encoder, threads=threads).encode(TEXTS, [2, 0]))
    assert sorted(text for text, _ in encoded) == sorted(set(TEXTS))
    for text, found in encoded:
        [content] = encoder.tokenizer.contents([text])
        assert found.ids.tolist() == encoder.tokenizer.wrapped(content)
        assert found.ids[found.content].tolist() == content
        assert sorted(found.states) == [0, 2]
        assert np.abs(found.states[2] - alone(encoder, content, 2)).max() < 1e-5
        assert not found.cut


def test_padding_moves_nothing(encoder: TorchEncoder) -> None:
    plain = dict(Engine(encoder, threads=1).encode(TEXTS, [3]))
    encoder.slack = 0.9  # texts of different lengths in one batch
    for text, found in Engine(encoder, threads=1).encode(TEXTS, [3]):
        assert np.abs(found.states[3] - plain[text].states[3]).max() < 1e-5


def test_a_long_text_loses_its_end(encoder: TorchEncoder) -> None:
    text = "rain " * 100
    [(_, found)] = Engine(encoder).encode([text], [1])
    assert (found.cut, len(found.ids)) == (True, encoder.tokenizer.limit)
    [content] = encoder.tokenizer.contents([text])
    assert np.abs(found.states[1] - alone(encoder, content[: encoder.tokenizer.room], 1)).max() < 1e-5


def test_a_long_text_is_an_error_if_asked(encoder: TorchEncoder) -> None:
    with pytest.raises(InputError, match=r"tiny reads 46: .*use long=truncate or long=window"):
        list(Engine(encoder, long="error").encode(["rain " * 100], [1]))
    assert len(list(Engine(encoder, long="error").encode(TEXTS, [1]))) == 4


def test_windows_keep_each_token_from_its_window(encoder: TorchEncoder) -> None:
    """Every token's states are those of a pass over the one window that keeps it."""
    text = " ".join(["the cat sat on the mat and looked at the rain"] * 12)
    [(_, found)] = Engine(encoder, long="window").encode([text], [2])
    [content] = encoder.tokenizer.contents([text])
    assert (found.ids.tolist(), found.cut) == (encoder.tokenizer.wrapped(content), False)
    plan = windows(len(content), encoder.tokenizer.room)
    assert len(plan) > 2
    for window in plan:
        states = alone(encoder, content[window.start : window.stop], 2)
        kept = states[1 + window.keep_from - window.start : 1 + window.keep_to - window.start]
        assert np.abs(found.states[2][1 + window.keep_from : 1 + window.keep_to] - kept).max() < 1e-5
        if window is plan[0]:
            assert np.abs(found.states[2][0] - states[0]).max() < 1e-5
        if window is plan[-1]:
            assert np.abs(found.states[2][-1] - states[-1]).max() < 1e-5


def test_nothing_and_wrong_layers(encoder: TorchEncoder) -> None:
    assert list(Engine(encoder).encode([], [1])) == []
    with pytest.raises(SpecError, match="has no layer 7"):
        list(Engine(encoder).encode(["a"], [7]))


def test_the_policy_is_in_the_signature(encoder: TorchEncoder) -> None:
    assert Engine(encoder, long="window").fields() == {**encoder.fields(), "long": "window"}
