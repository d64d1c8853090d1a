"""Intervals and paired tests against sacrebleu's, and against what is known in closed form."""

from __future__ import annotations

from collections.abc import Callable
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
from farthing.scoring.resampling import interval, paired_test


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
