"""Rows: medians over repeats, per segment, with quality and estimates."""

from __future__ import annotations

import pytest
from scipy.stats import pearsonr

from farthing.bench.bench import BenchResult


def test_a_metric(bench_result: BenchResult) -> None:
    row = bench_result.rows[0]
    assert (row.label, row.kind, row.segments) == ("chrf", "metric", 6)
    assert (row.load.median, row.cpu.median, row.memory.median) == (4.0, 6.0, 100 << 20)
    assert row.warm is not None
    assert row.warm.values == pytest.approx((0.05, 0.15, 0.1))  # 0.3 s for 6 segments
    assert row.seconds == pytest.approx(0.1)
    assert row.cold.median == pytest.approx(0.2)
    assert row.size.parameters == 0
    assert row.notes == ("empty: the candidate has no text (row 1)",)
    groups = [pearsonr([90, 80, 70], [6, 5, 4]).statistic, pearsonr([75, 40, 10], [3, 2, 1]).statistic]
    assert row.quality == pytest.approx(sum(groups) / 2)


def test_passes_are_per_output(bench_result: BenchResult) -> None:
    row = bench_result.rows[0]
    assert [(one.name, one.seconds.median) for one in row.batches] == [("1", 2.0), ("4", 1.0)]
    assert [(one.name, one.seconds.median, one.estimate) for one in row.steps] == [
        ("encode", 0.5, None), ("rest", 0.5, None),
    ]  # fmt: skip
    [trick] = row.tricks
    assert trick.seconds.median == 1.0
    assert trick.estimate is not None
    assert trick.estimate.hours == pytest.approx((4.0 + 1.0 * 7_500_000) / 3600)


def test_a_command(bench_result: BenchResult) -> None:
    row = bench_result.rows[2]
    assert (row.kind, row.warm, row.quality, row.seconds) == ("command", None, None, 1.2)
    assert (row.load.median, row.cpu.median, row.memory.median) == (1, 6, 50 << 20)
    assert "no score per segment" in row.notes[0]
