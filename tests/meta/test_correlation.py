"""Agreement with people: against a reference implementation's numbers, scipy, and a direct loop over pairs."""

from __future__ import annotations

import itertools
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import farthing
from farthing.core.errors import SpecError, UnknownName, UsageError
from farthing.core.types import Note
from farthing.meta.correlation import Correlation, Undefined, correlate

AVERAGES = {"none": "none", "sys": "system", "item": "item"}


@pytest.fixture(scope="module")
def golden(shared: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((shared / "golden" / "meta_evaluation.json").read_text())
    for case in found:
        for name in ("gold", "gold_full", "metric", "other"):
            case[name] = np.array(case[name], dtype=float).reshape(case["systems"], case["items"])
    return found


@pytest.mark.parametrize("short", AVERAGES)
@pytest.mark.parametrize(
    ("statistic", "key"),
    [
        ("pearson", "pearson"),
        ("spearman", "spearman"),
        ("kendall_b", "kendall_b"),
        ("accuracy(epsilon=0)", "acc_eq_eps0.0"),
        ("accuracy(epsilon=0.25)", "acc_eq_eps0.25"),
    ],
)
def test_golden_averages(golden: list[dict[str, Any]], statistic: str, key: str, short: str) -> None:
    for case in golden:
        found = farthing.meta.correlate(case["gold"], case["metric"], statistic=statistic, average=AVERAGES[short])
        assert found.value == pytest.approx(case["expected"][f"{key}_{short}"], abs=1e-9)


def test_golden_others(golden: list[dict[str, Any]]) -> None:
    for case in golden:
        expected, human, metric = case["expected"], case["gold"], case["metric"]
        assert correlate(human, metric, "kendall_c").value == pytest.approx(expected["kendall_c_none"], abs=1e-9)
        like = correlate(human, metric, "kendall_like(threshold=25)", "item")
        assert [like.value, like.pairs] == pytest.approx(
            [expected["kendall_like_item_25"][0], expected["kendall_like_item_25"][2]], abs=1e-9
        )
        best = correlate(human, metric, "accuracy_calibrated", "item")
        assert {"value": best.value, "threshold": best.threshold} == pytest.approx(
            expected["acc_eq_calibrated_item"], abs=1e-9
        )
        soft = correlate(case["gold_full"], metric, "soft_pairwise_accuracy(seed=4, permutations=1000)")
        # Sums that tie in exact arithmetic may fall either way in the reference's single precision.
        assert soft.value == pytest.approx(expected["soft_pairwise_accuracy_seed4_1000"], abs=2e-3)


def test_golden_system_level(golden: list[dict[str, Any]]) -> None:
    for case in golden:
        human, metric = case["gold_full"].mean(axis=1), case["metric"].mean(axis=1)
        assert correlate(human, metric).value == pytest.approx(case["expected"]["system_pearson"], abs=1e-9)
        accuracy = correlate(human, metric, "accuracy")
        assert [round(accuracy.value * accuracy.pairs, 9), accuracy.pairs] == case["expected"][
            "system_pairwise_agreement"
        ]


def slow_calibration(human: np.ndarray, metric: np.ndarray) -> tuple[float, float]:
    """All thresholds, all rows, all pairs, one by one."""
    rows = []
    for people, scores in zip(human.T, metric.T, strict=True):
        kept = np.flatnonzero(~np.isnan(people))
        rows.append([(people[a] - people[b], scores[a] - scores[b]) for a, b in itertools.combinations(kept, 2)])
    rows = [row for row in rows if row]
    thresholds = sorted({0.0} | {abs(m) for row in rows for _, m in row})

    def value(epsilon: float) -> float:
        def right(h: float, m: float) -> bool:
            tie = abs(m) <= epsilon
            return tie if h == 0 else not tie and (h > 0) == (m > 0)

        return float(np.mean([np.mean([right(h, m) for h, m in row]) for row in rows]))

    values = [value(epsilon) for epsilon in thresholds]
    best = next(i for i, found in enumerate(values) if found >= max(values) - 1e-12)
    return values[best], thresholds[best]


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.integers(2, 5), st.integers(1, 6), st.sampled_from([2, 4, 20]))
def test_calibration_is_the_best_of_all_thresholds(seed: int, systems: int, items: int, levels: int) -> None:
    random = np.random.default_rng(seed)
    human = random.integers(0, 3, (systems, items)).astype(float)
    human[random.random(human.shape) < 0.2] = np.nan
    metric = random.integers(0, levels, (systems, items)) / 8  # eighths: differences are exact
    if not (np.sum(~np.isnan(human), axis=0) > 1).any():
        with pytest.raises(Undefined):
            correlate(human, metric, "accuracy_calibrated", "item")
        return
    found = correlate(human, metric, "accuracy_calibrated", "item")
    assert (found.value, found.threshold) == pytest.approx(slow_calibration(human, metric), abs=1e-12)


@pytest.mark.parametrize("size", [7, 150, 400])
def test_coefficients_equal_scipy(size: int) -> None:
    random = np.random.default_rng(size)
    human = random.integers(0, 6, size).astype(float)
    metric = human + random.integers(0, 5, size)
    for name, value in {
        "pearson": stats.pearsonr(human, metric).statistic,
        "spearman": stats.spearmanr(human, metric).statistic,
        "kendall_b": stats.kendalltau(human, metric, variant="b").statistic,
        "kendall_c": stats.kendalltau(human, metric, variant="c").statistic,
    }.items():
        assert correlate(human, metric, name).value == pytest.approx(value, abs=1e-12)


def test_pearson_of_any_line_is_one_and_a_distance_is_turned_once() -> None:
    human = np.array([[1.0, 2.0, 4.0], [3.0, np.nan, 9.0]])
    assert correlate(human, 3 * human + 7).value == pytest.approx(1)
    assert correlate(human, -human).value == pytest.approx(-1)
    for statistic in ("pearson", "kendall_b", "accuracy", "accuracy_calibrated", "soft_pairwise_accuracy"):
        turned = correlate(human, -human, statistic, higher_is_better=False)
        assert turned.value == pytest.approx(correlate(human, human, statistic).value)


def test_soft_accuracy_is_one_for_the_same_scores_and_uses_common_segments_only() -> None:
    random = np.random.default_rng(1)
    human = random.normal(size=(4, 50)) + np.arange(4)[:, None]
    assert correlate(human, 5 * human, "soft_pairwise_accuracy").value == 1
    # A segment that no pair shares says nothing, whatever the metric says of it.
    gaps = human.copy()
    gaps[1:, 7] = np.nan
    metric = human + random.normal(size=human.shape)
    other = metric.copy()
    other[0, 7] = 1e6
    assert correlate(gaps, metric, "soft_pairwise_accuracy") == correlate(gaps, other, "soft_pairwise_accuracy")


def test_kendall_like_counts_metric_ties_against_it() -> None:
    human, metric = np.array([[0.0], [30.0], [60.0]]), np.array([[0.0], [0.0], [1.0]])
    found = correlate(human, metric, "kendall_like", "item")
    assert (found.value, found.pairs) == (pytest.approx((2 - 1) / 3), 3)


@pytest.mark.parametrize(
    ("human", "metric", "statistic", "average", "words"),
    [
        ([1, 2, 3], [5, 5, 5], "pearson", "none", "metric's scores are equal"),
        ([4, 4, 4], [5, 6, 5], "kendall_b", "none", "human scores are equal"),
        ([1, 2], [5, 6], "spearman", "none", "at least three"),
        ([np.nan] * 3, [5, 6, 7], "pearson", "none", "at least three"),
        ([[1, 1], [1, 1]], [[1, 2], [3, 4]], "pearson", "item", "for every item"),
        ([[1, 2, 3]], [[1, 2, 3]], "accuracy", "item", "at least two"),
        ([1, 2, 3], [1, 2, 3], "kendall_like(threshold=25)", "none", "25 or more"),
        ([1, 2, 3], [1, 2, 3], "soft_pairwise_accuracy", "none", "two systems"),
    ],
)
def test_what_does_not_exist_is_said_in_a_sentence(
    human: Any, metric: Any, statistic: str, average: Any, words: str
) -> None:
    with pytest.raises(Undefined, match=words):
        correlate(human, metric, statistic, average)


def test_constant_metrics_have_a_defined_accuracy() -> None:
    assert correlate([1, 1, 2], [3, 3, 3], "accuracy").value == pytest.approx(1 / 3)


def test_rows_left_out_are_noted() -> None:
    found = correlate([[1, 5, 1], [2, 5, 1], [3, 5, 4]], [[1, 2, 3], [2, 3, 3], [4, 4, 4]], "pearson", "item")
    assert found.rows == 2
    assert found.notes[0].rows == (1,)
    assert isinstance(found, Correlation)


@pytest.mark.parametrize(
    ("kind", "arguments", "words"),
    [
        (UsageError, ([1, 2, 3], [1, 2]), "systems x items"),
        (UsageError, ([1, 2, 3], [1, np.nan, 3]), "system 1, item 2"),
        (UsageError, ([1, np.inf, 3], [1, 2, 3]), "infinite"),
        (UsageError, ([1, 2, 3], ["a", "b", "c"]), "numbers"),
        (UnknownName, ([1, 2, 3], [1, 2, 3], "pearsn"), "pearson"),
        (UnknownName, ([1, 2, 3], [1, 2, 3], "accuracy(eps=1)"), "epsilon"),
        (SpecError, ([1, 2, 3], [1, 2, 3], "accuracy(epsilon=x)"), "number"),
        (UnknownName, ([1, 2, 3], [1, 2, 3], "pearson", "segment"), "item"),
    ],
)
def test_wrong_calls(kind: type[Exception], arguments: Any, words: str) -> None:
    with pytest.raises(kind, match=words):
        correlate(*arguments)


def test_a_missing_human_score_excuses_a_missing_metric_score() -> None:
    assert correlate([1, np.nan, 2, 3], [1, np.nan, 2, 3]).value == pytest.approx(1)


def test_a_calibration_beyond_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("farthing.meta.correlation.MOST_KEPT", 10)
    with pytest.raises(Undefined, match="average by item"):
        correlate(range(12), range(12), "accuracy_calibrated")


HUMAN = np.array([[0.0, 30.0, 60.0, 10.0], [50.0, 30.0, 0.0, np.nan], [100.0, 30.0, 90.0, np.nan]])
METRIC = np.array([[1.0, 2.0, 5.0, 4.0], [2.0, 1.0, 1.0, 9.0], [2.0, 6.0, 4.0, 9.0]])


def test_everything_that_a_correlation_tells() -> None:
    """Items: one with a tie of the metric, one with equal human scores, one whole, and one with a single output."""
    [first, last] = [stats.pearsonr(HUMAN[:, item], METRIC[:, item]).statistic for item in (0, 2)]
    left = (Note("left out", "2 of 4 items have constant or too few scores", (1, 3)),)
    by_item = Correlation(float(np.mean([first, last])), 6, "pearson", "item", None, 2, left)
    found = correlate(HUMAN, METRIC, "pearson", "item")
    assert found.value == pytest.approx(by_item.value)
    assert replace(found, value=by_item.value) == by_item
    flat = ~np.isnan(HUMAN)
    whole = correlate(HUMAN, METRIC)
    assert whole.value == pytest.approx(stats.pearsonr(HUMAN[flat], METRIC[flat]).statistic)
    assert replace(whole, value=0.0) == Correlation(0.0, 10, "pearson", "none", None, 1, ())
    by_system = correlate(HUMAN, METRIC, "spearman", "system")
    values = [stats.spearmanr(h[~np.isnan(h)], m[~np.isnan(h)]).statistic for h, m in zip(HUMAN, METRIC, strict=True)]
    assert by_system.value == pytest.approx(np.mean(values))
    assert replace(by_system, value=0.0) == Correlation(0.0, 10, "spearman", "system", None, 3, ())
    assert repr(by_item) == f"Correlation(pearson, average=item: {by_item.value:.4f} over 6 pairs)"


def test_everything_that_pairwise_statistics_tell() -> None:
    # pairs whose human scores differ by 25 or more: three of the first item, two of the third (60-90 by 30, 0-90, 0-60)
    found = correlate(HUMAN, METRIC, "kendall_like", "item")
    # item 0: 0<50 right, 0<100 right, 50<100 tied; item 2: 60>0 right, 60<90 wrong, 0<90 right
    assert found == Correlation((4 - 2) / 6, 6, "kendall_like", "item", None, 2)
    far = correlate(HUMAN, METRIC, "kendall_like(threshold=95)", "item")
    assert far == Correlation(1.0, 1, "kendall_like(threshold=95)", "item", None, 1)
    left = (Note("left out", "1 of 4 items have constant or too few scores", (3,)),)
    exact = correlate(HUMAN, METRIC, "accuracy", "item")
    # item 0: 2 of 3; item 1: people tie thrice, the metric never; item 2: 2 of 3
    assert exact == Correlation(pytest.approx(4 / 9), 9, "accuracy", "item", None, 3, left)
    loose = correlate(HUMAN, METRIC, "accuracy(epsilon=1)", "item")
    # differences up to 1 tie: item 0: none but 1 of 3 (0<50 and 0<100 by 1 tie, too); item 1: 1 of 3; item 2: 2 of 3
    assert loose == Correlation(pytest.approx((0 + 1 / 3 + 2 / 3) / 3), 9, "accuracy(epsilon=1)", "item", None, 3, left)
    two = correlate(HUMAN[:2, :3], METRIC[:2, :3], "soft_pairwise_accuracy(permutations=1)")
    assert (two.pairs, two.statistic, two.average) == (1, "soft_pairwise_accuracy(permutations=1)", "none")
    assert correlate(HUMAN[:, :3], METRIC[:, :3], "soft_pairwise_accuracy").pairs == 3


def test_the_sentences_of_what_is_undefined() -> None:
    nothing = np.full((1, 2), np.nan)
    for average, where in (("none", "the data"), ("item", "one item"), ("system", "one system")):
        with pytest.raises(Undefined, match=f"^accuracy needs at least two scored outputs to compare within {where}$"):
            correlate(nothing, nothing, "accuracy", average)  # type: ignore[arg-type]
    with pytest.raises(Undefined, match=r"^pearson needs at least three scored outputs, there are 2$"):
        correlate([1, 2, np.nan], [1, 2, 3])
    assert correlate([[1, 2]], [[1, 2]], "pearson", "system").value == 1  # two are enough within a system
    with pytest.raises(Undefined, match=r"^pearson is undefined: all human scores are equal$"):
        correlate([1, 1, 1], [1, 2, 3])
    with pytest.raises(Undefined, match=r"^pearson is undefined: all metric's scores are equal$"):
        correlate([1, 2, 3], [1, 1, 1])
    with pytest.raises(
        Undefined, match=r"^spearman is undefined for every item: within each, scores are constant or fewer than two$"
    ):
        correlate([[1, 2], [1, 2]], [[1, 2], [3, 4]], "spearman", "item")
    for wrong, sentence in (
        ("accuracy(epsilon=-1)", "accuracy: epsilon=-1.0 is below zero"),
        ("soft_pairwise_accuracy(permutations=0)", "soft_pairwise_accuracy: permutations=0 is below one"),
    ):
        with pytest.raises(UsageError, match=f"^{re.escape(sentence)}"):
            correlate([1, 2, 3], [1, 2, 3], wrong)
    with pytest.raises(
        UsageError, match=r"^human scores are \(1, 3\) and metric scores \(1, 2\): both must be systems"
    ):
        correlate([1, 2, 3], [1, 2])
    with pytest.raises(UsageError, match=r"system 2, item 1, which people scored \(2 such\): score it, or make"):
        correlate([[1, 2], [3, 4]], [[1, 2], [np.nan, np.inf]])
    with pytest.raises(UsageError, match=r"^a human score is infinite: use NaN for a missing one$"):
        correlate([1, -np.inf, 3], [1, 2, 3])


def test_the_largest_calibration_that_memory_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("farthing.meta.correlation.MOST_KEPT", 66)
    assert correlate(range(12), range(12), "accuracy_calibrated").value == 1  # 66 pairs
    with pytest.raises(Undefined, match=r"^calibrating ties over 78 pairs needs too much memory: average by item$"):
        correlate(range(13), range(13), "accuracy_calibrated")
    assert correlate(range(13), range(13), "accuracy").value == 1
