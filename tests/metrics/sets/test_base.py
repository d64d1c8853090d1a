"""What set metrics share: one search for all, intervals, sampling that says so."""

from __future__ import annotations

import numpy as np
import pytest

from farthing.core.metric import SetMetric
from farthing.core.registry import load
from farthing.core.types import Sets
from farthing.metrics.sets.base import VectorSetMetric, score_set_systems
from farthing.metrics.sets.frechet import Fid
from farthing.metrics.sets.impar import Impar
from farthing.metrics.sets.markevaluate import MarkEvaluate
from farthing.metrics.sets.prd import Prd
from farthing.neighbours import hyperspheres

RANDOM = np.random.default_rng(0)
CORPUS = RANDOM.standard_normal((400, 6))
SYSTEMS = [Sets(RANDOM.standard_normal((300, 6)) * scale, CORPUS, f"x{scale}") for scale in (1.0, 0.5)]


def test_together_equals_one_by_one_and_searches_once(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[tuple[int, tuple[int, ...]]] = []
    search = hyperspheres.squared_radii

    def counted(points, ks, **rest):  # type: ignore[no-untyped-def]
        searched.append((len(points), tuple(ks)))
        return search(points, ks, **rest)

    monkeypatch.setattr(hyperspheres, "squared_radii", counted)
    metrics = [MarkEvaluate(k=[1, 2, 5]), Impar(), Fid(), Prd(runs=2)]
    together = score_set_systems(metrics, SYSTEMS)
    assert searched == [(400, (1, 2, 3, 5)), (300, (1, 2, 3, 5)), (300, (1, 2, 3, 5))]
    for metric, row in zip(metrics, together, strict=True):
        assert isinstance(metric, SetMetric)
        for found, system in zip(row, SYSTEMS, strict=True):
            alone = metric.score_sets(system)
            assert (found.corpus, found.parts, found.system) == (alone.corpus, alone.parts, system.system)
            assert str(found.signature) == str(alone.signature)


def test_threads_do_not_move_a_score() -> None:
    one, four = (score_set_systems([MarkEvaluate(), Impar()], SYSTEMS, threads=threads) for threads in (1, 4))
    assert [[s.parts for s in row] for row in one] == [[s.parts for s in row] for row in four]


@pytest.mark.parametrize("metric", [MarkEvaluate(), Impar(), Fid(), Prd(runs=2)])
def test_intervals_hold_the_score_and_shrink_with_more_samples(
    metric: VectorSetMetric, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(metric), "resamples", 200)
    widths = []
    for size in (100, 1600):
        random = np.random.default_rng(size)
        two = Sets(random.standard_normal((size, 3)) * 0.8, random.standard_normal((size, 3)))
        [[found]] = score_set_systems([metric], [two], intervals=True, seed=7)
        [[again]] = score_set_systems([metric], [two], intervals=True, seed=7)
        assert found.interval is not None
        assert found.interval == again.interval
        low, high = found.interval
        assert low <= found.corpus <= high
        widths.append(high - low)
    assert 0 < widths[1] < widths[0]


def test_the_interval_of_impar_is_that_of_two_shares() -> None:
    """Against the normal approximation of the harmonic mean of two binomial shares (delta method)."""
    [[found]] = score_set_systems([Impar()], SYSTEMS[:1], intervals=True)
    p, r = float(found.parts["precision"]), float(found.parts["recall"])
    error = np.hypot(
        2 * r**2 / (p + r) ** 2 * np.sqrt(p * (1 - p) / 300), 2 * p**2 / (p + r) ** 2 * np.sqrt(r * (1 - r) / 400)
    )
    assert found.interval is not None
    assert found.interval[1] - found.interval[0] == pytest.approx(2 * 1.96 * error, rel=0.15)


def test_sampling_says_so_and_covers_the_truth() -> None:
    metric = load("impar(sample=100, repeats=8)")
    [[found]] = score_set_systems([metric], SYSTEMS[:1])
    again = metric.score_sets(SYSTEMS[0])
    assert found.corpus == again.corpus
    [note] = [note for note in found.notes if note.kind == "sampled"]
    assert "8 random samples of 100 of the 300 generated and 400 corpus samples" in note.message
    assert "sample:100" in str(found.signature)
    many = load("impar(sample=100, repeats=200)").score_sets(SYSTEMS[0]).corpus
    assert found.interval is not None
    assert found.interval[0] <= many <= found.interval[1]
    assert found.to_dict()["ci"] == list(found.interval)


def test_no_sampling_where_everything_fits() -> None:
    whole = load("impar(sample=5000)").score_sets(SYSTEMS[0])
    assert whole.corpus == load("impar").score_sets(SYSTEMS[0]).corpus
    assert not whole.notes
