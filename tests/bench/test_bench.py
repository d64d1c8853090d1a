"""The bench: rounds that interleave, fronts, and one real run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from farthing.bench import bench as module
from farthing.bench.bench import BenchResult, bench
from farthing.bench.contenders import contenders, expanded
from farthing.bench.data import BenchData
from farthing.bench.exchange import Measured
from farthing.bench.plan import BenchPlan
from farthing.core.errors import UsageError


def test_every_contender_once_per_round(
    judged: BenchData, measured: Callable[..., Measured], monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []

    def worker(name: str, label: str, request: Any, answer: Any) -> Measured:
        order.append(label)
        return measured()

    monkeypatch.setattr(module, "run_worker", worker)
    found = bench(contenders(expanded("chrf,bleu,ter"), [], [judged]), BenchPlan(repeats=3))
    assert order == ["chrf", "bleu", "ter", "ter", "bleu", "chrf", "chrf", "bleu", "ter"]
    assert [len(row.load.values) for row in found.rows] == [3, 3, 3]


def test_fronts(bench_result: BenchResult) -> None:
    assert [row.label for row in bench_result.front("judged", "time")] == ["chrf"]
    assert [row.label for row in bench_result.front("judged", "memory")] == ["chrf"]
    slow = replace(
        bench_result.rows[0], label="slow", memory=bench_result.rows[2].memory, warm=bench_result.rows[1].warm
    )
    both = replace(bench_result, rows=(*bench_result.rows, slow))
    assert [row.label for row in both.front("judged", "memory")] == ["slow"]
    assert [row.label for row in both.front("judged", "time")] == ["chrf"]


def test_what_a_worker_refuses_is_one_sentence(judged: BenchData) -> None:
    with pytest.raises(UsageError, match=r"^bertscore\(model=no/such\) cannot be measured: .*no/such"):
        bench(contenders(expanded("bertscore(model=no/such)"), [], [judged]), BenchPlan(repeats=1))
