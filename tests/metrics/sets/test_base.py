"""What set metrics share: one search for all, intervals, sampling that says so, and options declared once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import pytest

from farthing.core.errors import SpecError, UnknownName
from farthing.core.metric import SetMetric
from farthing.core.options import checked_options, options_of
from farthing.core.registry import load
from farthing.core.types import MetricInfo, Sets
from farthing.metrics.sets.base import MeasuredSets, VectorSetMetric, Verdict, harmonic_mean, score_set_systems
from farthing.metrics.sets.frechet import Fid
from farthing.metrics.sets.impar import Impar
from farthing.metrics.sets.markevaluate import MarkEvaluate
from farthing.metrics.sets.prd import Prd
from farthing.neighbours import hyperspheres
from farthing.neighbours.hyperspheres import Coverage

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


@dataclass(kw_only=True, eq=False)
class Shift(VectorSetMetric):
    """The distance of the two means: a metric as somebody else would write it."""

    about = MetricInfo("shift", "Distance of the means.", "none", (0, None), higher_is_better=False, level="set")
    scale: Annotated[float, "a factor"] = 1.0

    def judge(self, measured: MeasuredSets) -> Verdict:
        apart = np.linalg.norm(measured.generated.mean(axis=0) - measured.corpus.mean(axis=0))
        return Verdict(self.scale * float(apart), {})

    def resampled(self, measured: MeasuredSets, samples: int, seed: int) -> np.ndarray:
        return np.full(samples, self.judge(measured).corpus)


def test_a_new_metric_writes_its_options_judge_and_resampled() -> None:
    known = options_of(Shift)
    assert list(known) == ["scale", "model", "samples", "pooling", "unit", "last", "sample", "repeats"]
    assert all(option.help for option in known.values())
    metric = Shift(**checked_options("shift", {"scale": 2, "repeats": 3}, known))  # type: ignore[arg-type]
    [[found]] = score_set_systems([metric], SYSTEMS[:1], intervals=True)
    expected = 2 * np.linalg.norm(np.asarray(SYSTEMS[0].generated).mean(axis=0) - CORPUS.mean(axis=0))
    assert found.corpus == pytest.approx(float(expected))
    assert found.interval == (found.corpus, found.corpus)
    assert str(found.signature).startswith("shift|scale:2.0|samples:vectors|farthing:")


@pytest.mark.parametrize("metric", [MarkEvaluate, Impar, Fid, Prd])
def test_every_metric_shares_the_options_of_samples(metric: type[VectorSetMetric]) -> None:
    made = metric(model="x", samples="word", last=2, sample=50, repeats=3)
    assert (made.model, made.last, made.sample) == ("x", 2, 50)
    with pytest.raises(SpecError, match="last=0 must be above 0"):
        metric(last=0)
    with pytest.raises(UnknownName, match=r"unknown option of .* 'layers'"):
        load(f"{metric.about.name}(layers=2)")


def test_metrics_share_samples_only_if_they_look_at_the_same() -> None:
    assert Impar(k=2).sharing() == Fid().sharing() != Fid(pooling="max").sharing()
    assert Impar(k=2).sharing(vectors=True) == Fid(pooling="max").sharing(vectors=True)
    assert Fid(sample=9).sharing(vectors=True) != Fid().sharing(vectors=True)


def test_coverage_is_that_of_one_k() -> None:
    sides = [Coverage(np.array([[True, False]]), np.array([[count, 9]])) for count in (3, 4)]
    measured = MeasuredSets(np.zeros((1, 2)), np.zeros((1, 2)), (1, 5), *sides)
    generated, corpus = measured.coverage(1)
    assert (generated.tolist(), corpus.tolist()) == ([[1, 3]], [[1, 4]])
    assert measured.coverage(5)[0].tolist() == [[0, 9]]


def test_the_harmonic_mean_of_nothing_is_nothing() -> None:
    assert harmonic_mean(0.0, 0.0) == 0.0
    assert harmonic_mean(0.5, 0.5) == 0.5
    assert harmonic_mean(1.0, 0.0) == 0.0


def test_no_sampling_where_everything_fits() -> None:
    whole = load("impar(sample=5000)").score_sets(SYSTEMS[0])
    assert whole.corpus == load("impar").score_sets(SYSTEMS[0]).corpus
    assert not whole.notes
