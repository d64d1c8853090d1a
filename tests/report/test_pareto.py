"""The Pareto plot: a picture, with names that keep out of each other's way."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from farthing.bench.bench import BenchResult
from farthing.bench.spread import Spread
from farthing.core.errors import UsageError
from farthing.report import pareto
from farthing.report.pareto import check_pareto, draw_pareto

pytest.importorskip("matplotlib", reason="matplotlib is not installed")


def test_a_picture(bench_result: BenchResult, tmp_path: Path) -> None:
    draw_pareto(tmp_path / "pareto.png", bench_result)
    assert (tmp_path / "pareto.png").read_bytes().startswith(b"\x89PNG")


def test_names_do_not_cover_each_other(
    bench_result: BenchResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = bench_result.rows[0]
    crowd = tuple(replace(row, label=f"metric number {n}", warm=Spread.of([0.1 + 0.001 * n])) for n in range(4))
    boxes = []
    placed = pareto._spread_names

    def keep(axis, names) -> None:
        placed(axis, names)
        boxes.append([name.get_window_extent() for name in names])

    monkeypatch.setattr(pareto, "_spread_names", keep)
    draw_pareto(tmp_path / "pareto.svg", replace(bench_result, rows=crowd))
    for panel in boxes:
        assert all(not one.overlaps(two) for one, two in combinations(panel, 2))


def test_no_quality_no_picture(bench_result: BenchResult) -> None:
    check_pareto("p.png", bench_result.data)
    with pytest.raises(UsageError, match="no human scores"):
        check_pareto("p.png", [replace(one, human=None) for one in bench_result.data])
