"""Alignments by hand."""

from __future__ import annotations

import numpy as np

from farthing.metrics.bertscore.alignment import ShownTokens, align_tokens


def shown(ids: list[int], points: list[list[float]]) -> ShownTokens:
    return ShownTokens(np.array(ids), np.array(points, dtype=float).reshape(len(ids), 2), np.ones(len(ids)))


def test_each_token_goes_to_the_most_similar() -> None:
    left, right = shown([1, 2], [[1, 0], [0, 1]]), shown([3, 4, 5], [[0, 1], [0.6, 0.8], [1, 0]])
    found = align_tokens(left, right, lambda number: "abcdef"[number], {"f1": 0.5})
    assert found.candidate_tokens == ("b", "c")
    assert found.reference_tokens == ("d", "e", "f")
    assert found.similarity.tolist() == [[0, 0.6, 1], [1, 0.8, 0]]
    assert found.matches.tolist() == [2, 0]
    assert found.back_matches.tolist() == [1, 1, 0]
    assert found.parts == {"f1": 0.5}


def test_a_text_without_tokens_matches_nothing() -> None:
    found = align_tokens(shown([1], [[1, 0]]), shown([], []), str, {})
    assert (found.matches.tolist(), found.back_matches.tolist()) == ([-1], [])
