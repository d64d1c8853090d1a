"""Soft pairwise accuracy: against all signs written out."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from farthing.meta.soft_accuracy import p_values, soft_pairwise_accuracy


def test_p_values_approach_those_of_all_signs() -> None:
    differences = np.array([[0.5, -0.2, 0.9, 0.1, 0.4, -0.3, 0.8], [1.0, 1.0, -1.0, 1.0, -1.0, 0.0, 0.0]])
    signs = np.array(list(itertools.product([-1, 1], repeat=7)))
    exact = np.mean(signs @ differences.T >= differences.sum(axis=1) - 1e-12, axis=0)
    assert p_values(differences, seed=1, permutations=20_000) == pytest.approx(exact, abs=0.015)


def test_blocks_do_not_change_the_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    differences = np.random.default_rng(0).normal(size=(3, 11))
    whole = p_values(differences, seed=4, permutations=500)
    monkeypatch.setattr("farthing.meta.soft_accuracy._BLOCK", 7)
    assert p_values(differences, seed=4, permutations=500).tolist() == whole.tolist()


def test_opposite_judges_agree_on_nothing() -> None:
    human = np.arange(3)[:, None] + 0.01 * np.random.default_rng(0).normal(size=(3, 40))
    assert soft_pairwise_accuracy(human, human) == 1
    assert soft_pairwise_accuracy(human, -human) == pytest.approx(0, abs=0.01)


def test_nothing_to_compare_is_not_a_number() -> None:
    assert np.isnan(soft_pairwise_accuracy(np.ones((1, 4)), np.ones((1, 4))))
    apart = np.array([[1.0, np.nan], [np.nan, 1.0]])
    assert np.isnan(soft_pairwise_accuracy(apart, apart))
