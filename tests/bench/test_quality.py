"""Agreement with people, by scipy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr

from farthing.bench.data import BenchData, read_bench_data
from farthing.bench.quality import metric_quality
from farthing.meta.read.human import HumanColumns

HUMAN = np.array([90, 80, 70, 75, 40, 10])
SCORES = np.array([0.7, 0.8, 0.3, 0.5, 0.6, 0.1])


def test_the_mean_over_groups(judged: BenchData) -> None:
    found = metric_quality(judged, SCORES.tolist(), "pearson")
    groups = [pearsonr(HUMAN[rows], SCORES[rows]).statistic for rows in (slice(3), slice(3, 6))]
    assert found.groups == {"de-en": pytest.approx(groups[0]), "fr-en": pytest.approx(groups[1])}
    assert found.value == pytest.approx(np.mean(groups))


def test_other_statistics_and_distances(judged: BenchData) -> None:
    found = metric_quality(judged, (-SCORES).tolist(), "kendall_b", higher_is_better=False)
    groups = [kendalltau(HUMAN[rows], SCORES[rows]).statistic for rows in (slice(3), slice(3, 6))]
    assert found.value == pytest.approx(np.mean(groups))


def test_an_undefined_value_has_its_reason(judged_file: Callable[..., str]) -> None:
    data = read_bench_data(judged_file(changes={place: {"score": 1} for place in range(3)}), HumanColumns())
    found = metric_quality(data, SCORES.tolist(), "pearson")
    assert found.value is None
    assert list(found.groups) == ["fr-en"]
    assert "de-en" in found.reason
    assert "equal" in found.reason
