"""The model selection study: against all draws written out, and against chance."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from farthing.core.errors import UsageError
from farthing.meta.selection import _redrawn, _shuffled, select


def test_it_equals_all_possible_draws() -> None:
    human = np.array([0.1, 0.5, 0.2, 0.9, 0.4, 0.7])
    metric = np.array([3.0, 1.0, 4.0, 5.0, 9.0, 2.0])
    measures = []
    for draw in itertools.combinations(range(6), 3):
        chosen = max(draw, key=lambda system: metric[system])
        rank = 1 + sum(human[other] > human[chosen] for other in draw)
        measures.append((rank == 1, 1 / rank, max(human[list(draw)]) - human[chosen]))
    found = select(human, {"metric": metric}, draws=200_000, drawn=3, seed=1)["metric"]
    for mean, exact in zip(
        (found.hits, found.reciprocal_rank, found.difference), np.mean(measures, axis=0), strict=True
    ):
        assert abs(mean.value - exact) < 2.5 * mean.margin
    shares = np.array([hit for hit, _, _ in measures], dtype=float)
    assert found.hits.margin == pytest.approx(1.96 * np.sqrt(shares.var() / 200_000), rel=0.02)


def test_perfect_blind_and_constant_metrics() -> None:
    random = np.random.default_rng(0)
    human = random.normal(size=1000)
    metrics = {"same": human, "blind": random.normal(size=1000), "constant": np.zeros(1000)}
    found = select(human, metrics, draws=20_000, drawn=50)
    assert (found["same"].hits.value, found["same"].reciprocal_rank.value, found["same"].difference.value) == (1, 1, 0)
    assert found["constant"].hits.value == pytest.approx(1 / 50, abs=0.005)
    assert found["blind"].hits.value < 0.1
    harmonic = np.mean(1 / np.arange(1, 51))
    assert found["constant"].reciprocal_rank.value == pytest.approx(harmonic, abs=0.01)


@pytest.mark.parametrize("way", [_redrawn, _shuffled])
def test_draws_are_even_and_without_repeats(way: object) -> None:
    draws = way(np.random.default_rng(5), 12, (30_000, 4))  # type: ignore[operator]
    assert all(len(set(row)) == 4 for row in draws[:500].tolist())
    assert np.bincount(draws.ravel()) / draws.size == pytest.approx(np.full(12, 1 / 12), abs=0.003)
    assert np.bincount(draws[:, 0]) / len(draws) == pytest.approx(np.full(12, 1 / 12), abs=0.006)


def test_a_seed_fixes_the_result() -> None:
    human, metric = np.random.default_rng(1).normal(size=(2, 300))
    assert select(human, {"m": metric}, 500, 20, seed=4) == select(human, {"m": metric}, 500, 20, seed=4)
    assert select(human, {"m": metric}, 500, 20, seed=4) != select(human, {"m": metric}, 500, 20, seed=5)


def test_wrong_calls() -> None:
    human = np.arange(5.0)
    with pytest.raises(UsageError, match="cannot draw 9 of 5"):
        select(human, {"m": human}, drawn=9)
    with pytest.raises(UsageError, match="m needs one finite score"):
        select(human, {"m": np.full(5, np.nan)}, drawn=2)
    with pytest.raises(UsageError, match="at least one draw"):
        select(human, {"m": human}, draws=0, drawn=2)
