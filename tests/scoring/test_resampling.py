"""Intervals and paired tests against sacrebleu's, and against what is known in closed form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.significance import PairedTest

import farthing
from farthing import Pairs
from farthing.core.errors import UnknownName, UsageError
from farthing.core.types import MetricInfo, Scores
from farthing.scoring.comparison import compared
from farthing.scoring.engine import score_stretches
from farthing.scoring.resampling import (
    Interval,
    Paired,
    Resampled,
    bootstrap_interval,
    interval,
    pair_significance,
    paired_test,
)


class Mean:
    """A metric whose corpus score is the mean of its segments."""

    info = MetricInfo("mean", "for this test", "none", (0, 1))


def mean_scores(values: np.ndarray, system: str = "a") -> Scores:
    signature = farthing.load("chrf").score(Pairs.of(["a"], ["a"])).signature
    return Scores(float(values.mean()), values, signature, system=system)


@pytest.fixture(scope="session")
def real_systems(human: Callable[[str], list[dict[str, Any]]]) -> tuple[dict[str, list[str]], list[str]]:
    """Three systems of WMT18 German-English, 400 segments."""
    [german] = [row for row in human("wmt18_toen_systems") if row["lp"] == "de-en"]
    systems = {name: german["systems"][name]["output"][:400] for name in sorted(german["systems"])[:3]}
    return systems, german["reference"][:400]


@pytest.mark.parametrize(("test", "theirs"), [("bootstrap", "bs"), ("randomization", "ar")])
def test_agrees_with_sacrebleu(test: Any, theirs: str, real_systems: tuple[dict[str, list[str]], list[str]]) -> None:
    systems, references = real_systems
    named = list(systems.items())
    peer = PairedTest(named, {"BLEU": BLEU(), "chrF2": CHRF()}, [references], test_type=theirs)()[1]
    ours = farthing.compare(systems, references, metrics="bleu,chrf", test=test)
    for column, name in enumerate(["BLEU", "chrF2"]):
        for row, expected in zip(ours.rows, peer[name], strict=True):
            cell = row.cells[column]
            assert cell.scores.corpus == pytest.approx(expected.score, abs=1e-9)
            if cell.paired:
                assert cell.paired.difference == pytest.approx(expected.score - peer[name][0].score, abs=1e-9)
                assert cell.paired.p_value == pytest.approx(expected.p_value, abs=0.02)
            if test == "bootstrap":
                assert cell.interval is not None
                half = (cell.interval.high - cell.interval.low) / 2
                assert half == pytest.approx(expected.ci, abs=1e-3)


def test_interval_of_a_mean_has_the_width_of_the_normal_one() -> None:
    values = np.random.default_rng(0).normal(size=2000)
    found = interval(Mean(), mean_scores(values), samples=4000)
    half = 1.96 * values.std() / np.sqrt(len(values))
    assert found.low == pytest.approx(values.mean() - half, abs=0.1 * half)
    assert found.high == pytest.approx(values.mean() + half, abs=0.1 * half)


def test_randomization_of_few_rows_is_exact() -> None:
    """Of the 256 ways to swap 8 rows, those with sums as far from 0 as the observed one are counted by hand."""
    nothing = mean_scores(np.zeros(8))
    ranks = np.array([1.0, 2, 3, 4, 5, 6, 7, 8])
    one_sided = paired_test(Mean(), nothing, mean_scores(ranks, "b"), "randomization", resamples=20_000)
    assert one_sided.difference == 4.5
    assert one_sided.p_value == pytest.approx(2 / 256, abs=0.002)  # +36 and -36
    ranks[0] = -1
    almost = paired_test(Mean(), nothing, mean_scores(ranks, "b"), "randomization", resamples=20_000)
    assert almost.p_value == pytest.approx(4 / 256, abs=0.003)  # +-36 and +-34


def test_a_system_does_not_differ_from_itself() -> None:
    values = mean_scores(np.random.default_rng(1).normal(size=300))
    assert paired_test(Mean(), values, values, "bootstrap").p_value == 1
    assert paired_test(Mean(), values, values, "randomization").p_value == 1


def test_equal_systems_are_not_different() -> None:
    values = np.random.default_rng(1).normal(size=300)
    for test in ("bootstrap", "randomization"):
        shuffled = values + np.random.default_rng(2).normal(size=300)
        shuffled -= shuffled.mean() - values.mean()
        assert paired_test(Mean(), mean_scores(values), mean_scores(shuffled, "b"), test).p_value > 0.3  # type: ignore[arg-type]


def test_block_size_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(3).normal(size=100)
    whole = interval(Mean(), mean_scores(values))
    monkeypatch.setattr("farthing.scoring.resampling._BLOCK", 700)
    found = interval(Mean(), mean_scores(values))
    assert (found.low, found.high) == pytest.approx((whole.low, whole.high), abs=1e-12)


def test_baseline_must_exist() -> None:
    metric = farthing.load("chrf")
    scores = score_stretches([metric], lambda: iter([[Pairs.of(["a"], ["a"], system="a")]]))
    with pytest.raises(UnknownName, match="unknown baseline 'b'"):
        compared([metric], scores, test="bootstrap", baseline="b")
    with pytest.raises(UsageError, match="the same rows"):
        paired_test(Mean(), mean_scores(np.zeros(2)), mean_scores(np.zeros(3)))


class Ratio(Mean):
    """A metric whose corpus score is the ratio of two sums."""

    def aggregate(self, total: np.ndarray) -> float:
        return float(total[0] / total[1])


def ratio_scores(hits: list[int], tries: list[int], system: str = "a") -> Scores:
    statistics = np.array([hits, tries]).T
    plain = mean_scores(statistics[:, 0] / statistics[:, 1], system)
    return replace(plain, corpus=sum(hits) / sum(tries), statistics=statistics)


HITS, OTHER_HITS, TRIES = [1, 4, 2, 0, 5, 3, 7], [2, 4, 1, 1, 6, 5, 7], [4, 5, 3, 2, 9, 6, 8]


def drawn_ratios(hits: list[int], samples: int, seed: int) -> list[float]:
    """The ratio of every bootstrap sample, row by row."""
    draws = np.random.default_rng(seed).integers(len(hits), size=(samples, len(hits)))
    return [sum(hits[row] for row in draw) / sum(TRIES[row] for row in draw) for draw in draws]


def test_an_interval_is_what_is_left_of_sorted_samples_without_the_ends() -> None:
    scores = ratio_scores(HITS, TRIES)
    found = interval(Ratio(), scores, samples=200, seed=3)
    drawn = sorted(drawn_ratios(HITS, 200, 3))
    assert (found.mean, found.low, found.high) == pytest.approx((np.mean(drawn), drawn[5], drawn[194]), abs=1e-12)
    assert found == bootstrap_interval(Resampled(Ratio(), scores), 200, 3)
    usual = sorted(drawn_ratios(HITS, 1000, 12345))
    for default in (interval(Ratio(), scores), bootstrap_interval(Resampled(Ratio(), scores))):
        assert (default.mean, default.low, default.high) == pytest.approx((np.mean(usual), usual[25], usual[974]))


def test_an_interval_of_documents_draws_documents() -> None:
    documents = np.array([0, 0, 1, 1, 1, 2, 2])
    segments = np.array([1.0, 2, 4, 8, 16, 32, 64])
    draws = np.random.default_rng(4).integers(3, size=(80, 3))
    rows = [[row for place in draw for row in np.flatnonzero(documents == place)] for draw in draws]
    drawn = sorted(float(segments[row].mean()) for row in rows)
    found = interval(Mean(), mean_scores(segments), 80, 4, documents)
    assert (found.mean, found.low, found.high) == pytest.approx((np.mean(drawn), drawn[2], drawn[77]))


def test_a_metrics_own_interval_is_taken() -> None:
    scores = replace(mean_scores(np.zeros(3)), corpus=0.5, interval=(0.25, 0.75))
    assert interval(Mean(), scores) == Interval(0.5, 0.25, 0.75)


def test_a_paired_bootstrap_counts_samples_as_extreme_as_what_is_seen() -> None:
    first, second = ratio_scores(HITS, TRIES), ratio_scores(OTHER_HITS, TRIES, "b")
    observed = (sum(OTHER_HITS) - sum(HITS)) / sum(TRIES)
    for samples, seed in ((300, 8), (1000, 12345)):
        drawn = np.array(drawn_ratios(OTHER_HITS, samples, seed)) - np.array(drawn_ratios(HITS, samples, seed))
        shifted = np.abs(drawn) - np.abs(drawn).mean()
        found = paired_test(Ratio(), first, second, "bootstrap", samples, seed)
        assert found.difference == pytest.approx(observed)
        assert found.p_value == pytest.approx((np.sum(shifted >= observed - 1e-12) + 1) / (samples + 1))
        around = np.abs(drawn - drawn.mean())
        ready = Resampled(Ratio(), first), Resampled(Ratio(), second)
        centred = pair_significance(*ready, "bootstrap", samples, seed, centred=True)
        assert centred.p_value == pytest.approx((np.sum(around >= observed - 1e-12) + 1) / (samples + 1))
        assert centred.p_value != found.p_value
    assert paired_test(Ratio(), first, second) == found  # a thousand samples with the usual seed
    assert pair_significance(*ready) == found


def test_a_randomization_swaps_rows_by_the_toss_of_a_coin() -> None:
    first, second = ratio_scores(HITS, TRIES), ratio_scores(OTHER_HITS, TRIES, "b")
    observed = (sum(OTHER_HITS) - sum(HITS)) / sum(TRIES)
    swaps = np.random.default_rng(6).integers(2, size=(500, 7), dtype=bool)
    sums = [(sum(np.where(swap, OTHER_HITS, HITS)), sum(np.where(swap, HITS, OTHER_HITS))) for swap in swaps]
    hits = sum(abs(one - two) / sum(TRIES) >= observed - 1e-12 for one, two in sums)
    found = paired_test(Ratio(), first, second, "randomization", 500, 6)
    assert (found.difference, found.p_value) == pytest.approx((observed, (hits + 1) / 501))
    usual = paired_test(Ratio(), first, second, "randomization")
    assert round(usual.p_value * 10_001) == pytest.approx(usual.p_value * 10_001)  # ten thousand by default
    documents = np.array([0, 0, 0, 1, 1, 2, 2])
    whole = paired_test(Ratio(), first, second, "randomization", 4000, documents=documents)
    # of the eight ways to swap three documents, whose differences are 0, 2 and 2, four are as extreme as 4
    assert whole.p_value == pytest.approx(4 / 8, abs=0.03)


def test_rows_of_a_block_are_those_of_all_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = ratio_scores(HITS, TRIES), ratio_scores(OTHER_HITS, TRIES, "b")
    whole = paired_test(Ratio(), first, second, "randomization", 101)
    monkeypatch.setattr("farthing.scoring.resampling._BLOCK", 3)  # fewer than a row needs: one sample at a time
    assert len(Resampled(Ratio(), first).bootstrap(101, 1)) == 101
    found = paired_test(Ratio(), first, second, "randomization", 101)
    assert abs(found.p_value - whole.p_value) < 0.2
    assert round(found.p_value * 102) == pytest.approx(found.p_value * 102)


def set_scores(corpus: float, draws: list[float] | None) -> Scores:
    return replace(
        mean_scores(np.zeros(1)), corpus=corpus, segments=None, draws=None if draws is None else np.array(draws)
    )


def test_sets_are_compared_by_the_samples_that_their_metric_drew() -> None:
    first, second = set_scores(1.0, [1, 2, 3, 4]), set_scores(2.0, [2, 5, 3, 4])
    # differences 1 3 0 0 lie 0 2 1 1 from their mean: three are at least as far as the observed 1
    assert paired_test(Mean(), first, second) == Paired(1.0, 4 / 5)
    with pytest.raises(UsageError, match="can only be tested by bootstrap: omit --test"):
        paired_test(Mean(), first, second, "randomization")
    rows = mean_scores(np.zeros(4))
    for pair in ((first, rows), (rows, first)):
        with pytest.raises(UsageError, match="a set and rows of pairs cannot be tested against each other"):
            paired_test(Mean(), *pair)
    with pytest.raises(UsageError, match="judges whole sets and has drawn no samples to test: use farthing score"):
        paired_test(Mean(), set_scores(1.0, None), second)
    with pytest.raises(UsageError, match="gives no score per pair, so it cannot be resampled by rows"):
        Resampled(Mean(), set_scores(1.0, None))
    with pytest.raises(UsageError, match="gives no score per pair"):
        Resampled(farthing.load("distinct"), rows)


def test_equal_but_for_rounding_is_as_extreme() -> None:
    """The observed difference is larger than every sample's by less than a billionth of the scores."""
    first, second = set_scores(1e6, [1.0, 2.0]), set_scores(1e6 + 0.5 + 1e-4, [1.0, 3.0])
    assert paired_test(Mean(), first, second).p_value == 1
    far = set_scores(1e6 + 0.502, [1.0, 3.0])
    assert paired_test(Mean(), first, far).p_value == 1 / 3
