"""Several texts in one array: each is found again, and is filled up without a change of its maxima and means."""

import numpy as np
import pytest

from farthing.encoders.backends.token_texts import Tokens, TokenTexts

RANDOM = np.random.default_rng(4)
TEXTS = [
    Tokens(RANDOM.normal(size=(count, 5)).astype(np.float32), RANDOM.random(count).astype(np.float32) + 0.1)
    for count in (3, 1, 8, 6)
]


def test_each_text_is_found_again() -> None:
    for one, found in zip(TEXTS, TokenTexts.of(TEXTS).single(), strict=True):
        assert (one.vectors == found.vectors).all()
        assert (one.weights == found.weights).all()


def test_other_tokens_may_stand_between_texts() -> None:
    texts = TokenTexts.of(TEXTS)
    inner = texts._replace(starts=texts.starts + 1, sizes=texts.sizes - 1)
    assert [len(one.weights) for one in inner.single()] == [2, 0, 7, 5]
    assert (next(inner.single()).vectors == TEXTS[0].vectors[1:]).all()


def test_filled_texts_keep_maxima_and_means() -> None:
    vectors, shares = TokenTexts.of(TEXTS).filled(slice(1, None), 8)
    assert vectors.shape == (3, 8, 5)
    assert shares.sum(axis=1) == pytest.approx(1.0)
    for one, filled, share in zip(TEXTS[1:], vectors, shares, strict=True):
        assert (filled.max(axis=0) == one.vectors.max(axis=0)).all()
        assert share @ filled == pytest.approx(np.average(one.vectors, axis=0, weights=one.weights), abs=1e-6)
        assert not share[len(one.weights) :].any()
