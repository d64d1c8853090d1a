"""Marks of tokens: the formula by hand, token by token, and what is wrong with arrays that do not fit."""

from __future__ import annotations

from math import exp, sqrt, tanh
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from farthing.core.errors import ModelError
from farthing.encoders.backends.token_texts import Tokens
from farthing.students.marks import ARRAYS, LearnedMarks, error_features, error_probabilities, logistic

WIDTH, UNITS = 4, 3


def tokens(seed: int, count: int) -> Tokens:
    random = np.random.default_rng(seed)
    vectors = random.normal(size=(count, WIDTH))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return Tokens(vectors.astype(np.float32), (random.random(count) + 0.1).astype(np.float32))


def arrays(seed: int = 3) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    return {
        "mark_in": random.normal(size=(UNITS, 2 * WIDTH + 5)), "mark_bias": random.normal(size=UNITS),
        "mark_out": random.normal(size=UNITS), "mark_top": np.array(-0.5),
    }  # fmt: skip


def cosine(first: np.ndarray, second: np.ndarray) -> float:
    return sum(float(a) * float(b) for a, b in zip(first, second, strict=True))


def features_by_hand(text: Tokens, correct: Tokens, place: int) -> list[float]:
    """What the token at a place is known by, written as the definition says."""

    def gap(number: int) -> float:
        if not 0 <= number < len(text.vectors):
            return 0.0
        return 1 - max(cosine(text.vectors[number], other) for other in correct.vectors)

    own = text.vectors[place]
    order = sorted(range(len(correct.vectors)), key=lambda number: -cosine(own, correct.vectors[number]))
    nearest = correct.vectors[order[0]]
    second = cosine(own, correct.vectors[order[1]]) if len(order) > 1 else 0.0
    back = max(cosine(one, nearest) for one in text.vectors)
    share = float(text.weights[place]) / sum(map(float, text.weights))
    return [
        *(sqrt(WIDTH) * abs(float(a) - float(b)) for a, b in zip(own, nearest, strict=True)),
        *(sqrt(WIDTH) * float(a) * float(b) for a, b in zip(own, nearest, strict=True)),
        gap(place), (gap(place - 1) + gap(place + 1)) / 2, share * len(text.vectors), 1 - second, 1 - back,
    ]  # fmt: skip


@pytest.mark.parametrize(("ours", "theirs"), [(6, 4), (3, 9), (5, 1), (1, 5), (1, 1)])
def test_features_and_probabilities_are_those_of_the_formula(ours: int, theirs: int) -> None:
    text, correct, parts = tokens(1, ours), tokens(2, theirs), arrays()
    rows = [features_by_hand(text, correct, place) for place in range(ours)]
    np.testing.assert_allclose(error_features(text, correct), rows, atol=1e-6)
    expected = []
    for row in rows:
        units = zip(parts["mark_in"], parts["mark_bias"], parts["mark_out"], strict=True)
        logit = float(parts["mark_top"]) + sum(
            out * tanh(sum(weight * x for weight, x in zip(weights, row, strict=True)) + bias)
            for weights, bias, out in units
        )
        expected.append(1 / (1 + exp(-logit)))
    head = LearnedMarks.of(parts, WIDTH, Path("head"))
    np.testing.assert_allclose(error_probabilities(text, correct, head), expected, atol=1e-6)


def test_without_a_head_only_the_gap_counts() -> None:
    text, correct = tokens(1, 6), tokens(2, 4)
    gaps = [1 - max(cosine(one, other) for other in correct.vectors) for one in text.vectors]
    expected = [1 / (1 + exp(-8 * (gap - 0.42))) for gap in gaps]
    np.testing.assert_allclose(error_probabilities(text, correct, None), expected, atol=1e-6)
    np.testing.assert_allclose(error_probabilities(text, text, None), 1 / (1 + exp(8 * 0.42)), atol=1e-6)


def test_logistic_has_no_overflow() -> None:
    assert logistic(np.array([-1e6, 0.0, 1e6])).tolist() == [0.0, 0.5, 1.0]


def test_a_head_has_all_of_the_arrays_or_none(tmp_path: Path) -> None:
    path, parts = tmp_path / "head.safetensors", arrays()
    save_file({"scale": np.ones(3)}, path)
    assert LearnedMarks.read(path, WIDTH) is None
    save_file({name: parts[name].astype(np.float32) for name in ARRAYS}, path)
    head = LearnedMarks.read(path, WIDTH)
    assert head is not None
    assert (head.inner.shape, head.top) == ((UNITS, 2 * WIDTH + 5), -0.5)
    with pytest.raises(
        ModelError, match=r"vectors of 7 numbers \(mark_in has the shape \(3, 13\), expected \(3, 19\)\)"
    ):
        LearnedMarks.read(path, 7)
    save_file({name: parts[name] for name in ARRAYS[1:]}, path)
    with pytest.raises(ModelError, match="a part of the arrays for error marks only: 'mark_in' is missing"):
        LearnedMarks.read(path, WIDTH)
    path.write_bytes(b"nothing")
    with pytest.raises(ModelError, match="cannot be read"):
        LearnedMarks.read(path, WIDTH)
