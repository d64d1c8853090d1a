"""Clouds: which tokens count, how much, and where they lie, against plain loops."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from farthing.encoders.engine import Engine
from farthing.encoders.load import load_encoder
from farthing.encoders.protocol import EncodedText
from farthing.metrics.tokens.clouds import Clouds, TokenFilter, layer_vectors, token_weights, units
from farthing.text.idf import Idf

TEXT = "the cats sat, unexpectedly"


@pytest.fixture
def engine(tiny_model: Callable[..., Path]) -> Engine:
    return Engine(load_encoder(str(tiny_model("bert"))))


def encoded(engine: Engine, text: str = TEXT) -> EncodedText:
    [(_, found)] = engine.encode([text], [1, 2, 3])
    return found


def kept(engine: Engine, **options: object) -> list[str]:
    tokenizer, text = engine.encoder.tokenizer, encoded(engine)
    tokens = TokenFilter(tokenizer, **options)  # type: ignore[arg-type]
    places, _ = Clouds([1], tokens).places(text)
    return [tokenizer.token(int(text.ids[place])) for place in places]


def test_the_filter_drops_what_it_is_told_to(engine: Engine) -> None:
    every = kept(engine)
    assert "," in every
    assert kept(engine, punctuation=True) == [token for token in every if token != ","]
    assert kept(engine, subwords=True) == [token for token in every if not token.startswith("##")]
    assert kept(engine, stop_words=frozenset(["the", "sat"])) == [t for t in every if t not in ("the", "sat")]
    both = [token for token in every if token != "," and not token.startswith("##")]
    assert kept(engine, punctuation=True, subwords=True, ascii_only=True) == both


def test_a_text_of_which_nothing_would_be_left_stays_whole(engine: Engine) -> None:
    tokens = TokenFilter(engine.encoder.tokenizer, punctuation=True)
    cloud = Clouds([2], tokens)(encoded(engine, ", '"))
    assert cloud.remarks == {"dropped"}
    assert len(cloud) == 2


def test_points_are_units_and_specials_are_counted_if_asked_for(engine: Engine) -> None:
    tokens, text = TokenFilter(engine.encoder.tokenizer), encoded(engine)
    inside, everything = Clouds([2], tokens)(text), Clouds([2], tokens, specials=True)(text)
    assert len(everything) == len(inside) + 2 == len(text.ids)
    states = text.states[2][text.content].astype(np.float64)
    assert np.allclose(inside.points, states / np.linalg.norm(states, axis=1, keepdims=True), atol=1e-6)
    bigrams = Clouds([2], tokens, size=2)(text)
    means = (states[1:] + states[:-1]) / 2
    assert np.allclose(bigrams.points, means / np.linalg.norm(means, axis=1, keepdims=True), atol=1e-6)
    assert bigrams.weights.tolist() == [2.0] * (len(inside) - 1)


def test_power_means_join_layers(engine: Engine) -> None:
    text = encoded(engine)
    stack = np.stack([text.unit(layer) for layer in (1, 2, 3)])
    expected = [
        [
            *(min(c) for c in zip(*token, strict=True)),
            *np.mean(token, axis=0),
            *(max(c) for c in zip(*token, strict=True)),
        ]
        for token in stack.transpose(1, 0, 2)
    ]
    assert np.allclose(layer_vectors(text, [1, 2, 3]), expected, atol=1e-6)
    assert layer_vectors(text, [2], unit=False) is text.states[2]


def test_weights_are_idf_unless_all_are_zero() -> None:
    ids = np.array([1, 2])
    assert token_weights(ids, None)[0].tolist() == [1, 1]
    weights, remarks = token_weights(ids, Idf(3, {1: 1, 2: 3}))
    assert weights == pytest.approx([np.log(2), 0])
    assert remarks == frozenset()
    weights, remarks = token_weights(ids, Idf(1, {1: 1, 2: 1}))
    assert (weights.tolist(), remarks) == ([1, 1], {"idf"})
    assert token_weights(np.array([], dtype=int), Idf(1, {}))[1] == frozenset()


def test_units_keep_zeros() -> None:
    vectors = np.random.default_rng(0).normal(size=(4, 3))
    vectors[1] = 0
    assert np.linalg.norm(units(vectors), axis=1) == pytest.approx([1, 0, 1, 1])
