"""The units that tell which tokens are wrong, against a plain loop over tokens."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from farthing.encoders.backends.token_texts import Tokens
from farthing.learn.match.mark_head import MarkHead, mark_features
from farthing.students.marks import LearnedMarks, error_probabilities


def texts(random: np.random.Generator, lengths: list[int], width: int = 6) -> tuple[torch.Tensor, torch.Tensor]:
    """Unit vectors and weights of texts between two special tokens, padded."""
    longest = max(lengths) + 2
    vectors = random.normal(size=(len(lengths), longest, width))
    vectors /= np.linalg.norm(vectors, axis=2, keepdims=True)
    weights = random.random((len(lengths), longest)) + 0.1
    for row, length in enumerate(lengths):
        weights[row, [0, *range(length + 1, longest)]] = 0
    return torch.from_numpy(vectors).float(), torch.from_numpy(weights).float()


def by_hand(first: np.ndarray, weights: np.ndarray, second: np.ndarray, place: int) -> np.ndarray:
    """The features of one token of a text, without special tokens and padding."""
    root, cosines = np.sqrt(first.shape[1]), first @ second.T
    gaps = 1 - cosines.max(axis=1)
    nearest = int(cosines[place].argmax())
    around = [gaps[one] if 0 <= one < len(gaps) else 0.0 for one in (place - 1, place + 1)]
    further = np.sort(cosines[place])[-2] if len(second) > 1 else 0.0
    v, u = first[place], second[nearest]
    plain = [gaps[place], np.mean(around), weights[place] / weights.mean(), 1 - further, 1 - cosines[:, nearest].max()]
    return np.concatenate([root * np.abs(v - u), root * v * u, plain])


def test_features_by_hand() -> None:
    random = np.random.default_rng(2)
    lengths, others = [5, 3, 1, 4], [4, 1, 6, 2]
    first, second = texts(random, lengths), texts(random, others)
    found = mark_features(*first, *second).numpy()
    for row, (length, other) in enumerate(zip(lengths, others, strict=True)):
        own, weights = first[0][row, 1 : length + 1].numpy(), first[1][row, 1 : length + 1].numpy()
        for place in range(length):
            wanted = by_hand(own, weights, second[0][row, 1 : other + 1].numpy(), place)
            assert found[row, 1 + place] == pytest.approx(wanted, abs=1e-5)


def test_before_learning_a_larger_gap_is_more_likely_wrong() -> None:
    random = np.random.default_rng(3)
    first, second = texts(random, [6, 6]), texts(random, [5, 5])
    torch.manual_seed(1)
    logits = MarkHead(6, units=4)(*first, *second).detach().numpy()[:, 1:7]
    gaps = mark_features(*first, *second).numpy()[:, 1:7, 12]
    assert (np.argsort(logits) == np.argsort(gaps)).all()


def test_a_student_computes_the_same_without_torch() -> None:
    random = np.random.default_rng(4)
    lengths, others = [5, 3, 1], [4, 1, 6]
    first, second = texts(random, lengths), texts(random, others)
    torch.manual_seed(2)
    head = MarkHead(6, units=4)
    with torch.no_grad():
        head.outer.weight.normal_()
        logits = head(*first, *second)
    arrays = {
        "mark_in": head.inner.weight, "mark_bias": head.inner.bias, "mark_out": head.outer.weight[0],
        "mark_top": head.top,
    }  # fmt: skip
    learned = LearnedMarks.of({name: one.detach().numpy() for name, one in arrays.items()}, 6, Path("head"))
    for row, (length, other) in enumerate(zip(lengths, others, strict=True)):
        ours, theirs = (
            Tokens(vectors[row, 1 : count + 1].numpy(), weights[row, 1 : count + 1].numpy())
            for (vectors, weights), count in ((first, length), (second, other))
        )
        expected = torch.sigmoid(logits[row, 1 : length + 1]).numpy()
        assert error_probabilities(ours, theirs, learned) == pytest.approx(expected, abs=1e-5)
