"""Differences of aligned texts and the head over them: closed forms, and what must hold for any text."""

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from farthing.align.greedy import greedy
from farthing.core.errors import ModelError
from farthing.encoders.backends.embedded import Tokens
from farthing.students.head import GAPS, Head, token_gaps


def tokens(seed: int, count: int) -> Tokens:
    random = np.random.default_rng(seed)
    vectors = random.normal(size=(count, 8))
    return Tokens(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), random.random(count) + 0.1)


def test_equal_texts_have_no_gap() -> None:
    one = tokens(1, 7)
    assert token_gaps(one, one) == pytest.approx([0.0] * len(GAPS), abs=1e-7)


def test_precision_and_recall_are_those_of_greedy_matching() -> None:
    first, second = tokens(1, 5), tokens(2, 8)
    precision, recall = greedy(first.vectors, second.vectors, first.weights, second.weights)
    found = token_gaps(first, second)
    assert found[:2] == pytest.approx((1 - precision, 1 - recall))
    assert found[2] == pytest.approx(1 - 2 * precision * recall / (precision + recall))


def test_orthogonal_texts_in_closed_form() -> None:
    first, second = Tokens(np.eye(4)[:2], np.ones(2)), Tokens(np.eye(4)[2:], np.ones(2))
    assert token_gaps(first, second) == pytest.approx((1, 1, 1, 1, 1, 1), abs=1e-3)


def test_turning_the_pair_round_turns_precision_into_recall() -> None:
    first, second = tokens(3, 4), tokens(4, 6)
    forth, back = token_gaps(first, second), token_gaps(second, first)
    assert forth[0] == pytest.approx(back[1])
    assert forth[3] == pytest.approx(back[4])
    assert forth[5] == pytest.approx(back[5])


def test_the_scale_is_a_straight_line_that_bends_below_100() -> None:
    """A head whose value is minus its one feature: at 0 it reads 100, at -2 it reads 0."""
    one = np.ones((1, 1))
    head = Head.of({"scale": one[0], "top": 0.0, "linear": -one, "hidden": 0 * one, "hidden_bias": 0 * one[0],
                    "out": 0 * one, "floor": -2.0})  # fmt: skip
    found = head.scores(np.array([[2.0], [1.0], [0.2], [0.001], [-0.01], [-0.1], [-9.0], [0.0]]))
    assert found[:3] == pytest.approx([0.0, 50.0, 90.0], abs=1e-3)
    assert (np.diff(found[:6]) > 0).all()  # what the head likes better than equal texts keeps its order
    assert (found[:-1] < 100).all()
    assert found[-1] == 100.0


def test_the_head_is_cut_at_the_value_of_equal_texts(student_folder: Path) -> None:
    head = Head.read(student_folder / "head.safetensors")
    above = -1e3 * np.sign(head.linear)[None] * (head.linear != 0)
    assert head.raw(-above)[0] <= head.top
    assert head.scores(np.zeros((1, len(head.scale)))).tolist() == [100.0]


def test_a_broken_head_is_named(student_folder: Path) -> None:
    arrays = load_file(student_folder / "head.safetensors")
    save_file({"scale": arrays["scale"]}, student_folder / "head.safetensors")
    with pytest.raises(ModelError, match="has no 'top'"):
        Head.read(student_folder / "head.safetensors")


def test_a_missing_head_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"head\.safetensors cannot be read"):
        Head.read(tmp_path / "head.safetensors")


def test_the_hidden_units_do_not_move_equal_texts(student_folder: Path) -> None:
    head = Head.read(student_folder / "head.safetensors")
    differences = np.random.default_rng(5).random((4, len(head.scale)))
    by_hand = [
        head.top
        + sum(w * x / s for w, x, s in zip(head.linear, row, head.scale, strict=True))
        + sum(
            out * (np.tanh(weights @ (row / head.scale) + bias) - np.tanh(bias))
            for out, weights, bias in zip(head.out, head.hidden, head.hidden_bias, strict=True)
        )
        for row in differences
    ]
    assert head.raw(differences) == pytest.approx(np.minimum(by_hand, head.top))
    assert head.raw(0 * differences).tolist() == [head.top] * 4
