"""Judged runs in a folder; interruptions are in tests/test_resumed.py."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import InputError, OutputError
from farthing.core.registry import load_pairs_metric
from farthing.core.types import Pairs
from farthing.files.journal import Journal
from farthing.files.rows import read_run_rows
from farthing.files.run import read_run
from farthing.judge.flow import Allowance, JudgeFlow
from farthing.judge.kept import JUDGED, judge_into
from farthing.judge.metric import JudgeMetric
from farthing.judge.routing import RoutingPlan


@pytest.fixture
def systems() -> list[Pairs]:
    random = np.random.default_rng(0)
    texts = [[" ".join(random.choice(["a", "cat", "sat", "on", "mats"], 6)) for _ in range(60)] for _ in range(3)]
    return [Pairs.of(texts[place], texts[2], system=name) for place, name in enumerate("ab")]


@pytest.fixture
def judge(systems: list[Pairs], tmp_path: Path) -> JudgeMetric:
    rows = [
        {"candidate": text, "reference": row[0], "score": text.count("cat")}
        for pairs in systems
        for text, row in zip(pairs.candidates, pairs.references, strict=True)
    ]
    (tmp_path / "verdicts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return JudgeMetric(replay=str(tmp_path / "verdicts.jsonl"))


def flow(judge: JudgeMetric, systems: list[Pairs], budget: str = "25%", student: str = "chrf") -> JudgeFlow:
    return JudgeFlow(judge, load_pairs_metric(student), systems, Allowance(budget))


def test_the_folder_has_the_rows_of_the_table(judge: JudgeMetric, systems: list[Pairs], tmp_path: Path) -> None:
    plain = flow(judge, systems).run(RoutingPlan(0))
    found = judge_into(tmp_path / "run", flow(judge, systems), RoutingPlan(0))
    assert found.printed() == plain.printed()
    table, complete = read_run_rows(tmp_path / "run", JUDGED)
    assert complete
    columns = {name: list(values) for name, values in plain.columns().items()}
    assert {name: table.column(name).to_pylist() for name in table.column_names} == columns
    told = plain.to_dict()
    assert json.loads((tmp_path / "run" / "bill.json").read_text()) == told.pop("bill")
    assert Journal.read(tmp_path / "run").results() == json.loads(json.dumps(told))
    assert not (tmp_path / "run" / "parts").exists()
    assert judge_into(tmp_path / "run", flow(judge, systems), RoutingPlan(0)).printed() == plain.printed()


def test_another_run_is_refused(judge: JudgeMetric, systems: list[Pairs], tmp_path: Path) -> None:
    judge_into(tmp_path / "run", flow(judge, systems), RoutingPlan(0))
    swapped = [systems[1].candidates[0], *systems[0].candidates[1:]]
    changed = [Pairs.of(swapped, systems[0].references, system="a"), systems[1]]
    others = {
        "input": (flow(judge, changed), RoutingPlan(0)),
        "plan": (flow(judge, systems, "20%"), RoutingPlan(0)),
        "student": (flow(judge, systems, student="token_f1"), RoutingPlan(0)),
    }
    for name, (other, plan) in others.items():
        with pytest.raises(OutputError, match=f"its {name}.* differ"):
            judge_into(tmp_path / "run", other, plan)
    with pytest.raises(OutputError, match="its plan differ"):
        judge_into(tmp_path / "run", flow(judge, systems), RoutingPlan(0, seed=1))
    earlier = tmp_path / "verdicts.jsonl"
    with pytest.raises(OutputError, match="its earlier differ"):
        judge_into(tmp_path / "run", flow(judge, systems), RoutingPlan(0), str(earlier))
    with pytest.raises(InputError, match="holds judged outputs, not scores of systems"):
        read_run(tmp_path / "run")
