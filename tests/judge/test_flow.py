"""The whole flow with a student and a judge that are both known."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from farthing.core.errors import MissingInput, UsageError
from farthing.core.registry import load_pairs_metric
from farthing.core.types import Pairs
from farthing.files.write import write_table
from farthing.judge.earlier import read_earlier
from farthing.judge.flow import Allowance, JudgeFlow
from farthing.judge.metric import JudgeMetric
from farthing.judge.routing import RoutingPlan

WORDS = ["the", "quick", "brown", "fox", "jumps", "over", "a", "lazy", "dog", "near", "some", "old", "river"]


@pytest.fixture
def systems() -> list[Pairs]:
    random = np.random.default_rng(0)
    references = [[" ".join(random.choice(WORDS, 9))] for _ in range(80)]
    found = []
    for name, damage in (("good", 0.1), ("middle", 0.35), ("bad", 0.7)):
        texts = [" ".join("x" if random.random() < damage else word for word in row[0].split()) for row in references]
        found.append(Pairs(texts, references, system=name))
    return found


@pytest.fixture
def verdicts(systems: list[Pairs], tmp_path: Path) -> str:
    """A judge that counts the words that are left."""
    path = tmp_path / "verdicts.jsonl"
    rows = [
        {"candidate": text, "reference": row[0], "score": 100 - 11 * text.split().count("x")}
        for pairs in systems
        for text, row in zip(pairs.candidates, pairs.references, strict=True)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def flow(systems: list[Pairs], judge: JudgeMetric, budget: str = "25%") -> JudgeFlow:
    return JudgeFlow(judge, load_pairs_metric("chrf"), systems, Allowance(budget))


def test_systems_are_ranked_and_the_bill_is_told(systems: list[Pairs], verdicts: str) -> None:
    found = flow(systems, JudgeMetric(replay=verdicts)).run(RoutingPlan(0, seed=2))
    assert [(one.name, one.rank) for one in found.systems] == [("good", 1), ("middle", 2), ("bad", 3)]
    assert found.bill.spent.calls == 60
    truth = [np.mean([100 - 11 * text.split().count("x") for text in pairs.candidates]) for pairs in systems]
    for one, mean in zip(found.systems, truth, strict=True):
        limits = one.estimate.interval()
        assert limits.low <= mean <= limits.high
    columns = found.columns()
    assert {*columns["origin"]} == {"judge", "student"}
    assert len(columns["score"]) == 240
    printed = found.printed()
    assert "spent 60 calls" in printed
    assert "judge|replay:" in printed
    assert json.loads(found.printed("json"))["systems"][0]["rank"] == 1
    assert found.printed("csv").splitlines()[0].startswith("system,rank,score")
    assert "good" in found.printed("markdown") + found.printed("latex")


def test_a_larger_budget_uses_what_was_paid_before(
    systems: list[Pairs], judge_server: Callable[..., Any], tmp_path: Path
) -> None:
    server = judge_server(lambda row, attempt: "ok")
    judge = {"url": server.url, "model": "m", "prompt": "reference", "verdicts": str(tmp_path / "kept")}
    flow(systems, JudgeMetric(**judge), "30").run(RoutingPlan(0, seed=1))
    assert "30 of these calls were made before" in flow(systems, JudgeMetric(**judge), "70").estimate().lines()
    found = flow(systems, JudgeMetric(**judge), "70").run(RoutingPlan(0, seed=1))
    assert server.requests == 70
    assert found.bill.before == 30
    origins = found.origins
    assert origins.count("judge") + origins.count("kept") >= 70  # equal texts share a verdict
    assert origins.count("kept") > 0
    assert any("from before" in note for note in found.notes)
    kept = [place for place, origin in enumerate(origins) if origin == "kept"]
    assert all(found.columns()["verdict"][place] is None for place in kept)  # they are no sample of anything
    assert [found.columns()["score"][place] for place in kept] == [0.0] * len(kept)  # what this server always says


def test_a_student_that_lacks_texts_is_told_before_anything_is_scored(systems: list[Pairs], verdicts: str) -> None:
    alone = [Pairs(one.candidates, [[] for _ in one.candidates], one.candidates, system=one.system) for one in systems]
    with pytest.raises(MissingInput, match=r"needs a reference.*--student SPEC"):
        flow(alone, JudgeMetric(replay=verdicts))


def test_long_intervals_are_told_with_a_remedy(systems: list[Pairs], tmp_path: Path) -> None:
    """A judge that the student knows nothing of: a fifth of the verdicts cannot stand for all of them."""
    random, path = np.random.default_rng(1), tmp_path / "any.jsonl"
    texts = {(text, row[0]) for one in systems for text, row in zip(one.candidates, one.references, strict=True)}
    rows = [{"candidate": text, "reference": other, "score": random.normal(50, 9)} for text, other in sorted(texts)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    judge = JudgeMetric(replay=str(path))
    [note] = flow(systems, judge, "60%").run(RoutingPlan(0, seed=2)).notes
    assert "times as long as those of as many rows drawn evenly" in note
    assert "--random-share" in note or "--policy uncertain" in note
    assert not flow(systems, judge, "60%").run(RoutingPlan(0, "random", seed=2)).notes


def test_an_endpoint_is_asked_as_often_as_allowed_and_the_run_resumes(
    systems: list[Pairs], judge_server: Callable[..., Any], tmp_path: Path
) -> None:
    server = judge_server(lambda row, attempt: "ok")
    judge = {"url": server.url, "model": "m", "prompt": "reference", "verdicts": str(tmp_path / "kept")}
    first = flow(systems, JudgeMetric(**judge), "40").run(RoutingPlan(0, seed=1))
    assert server.requests == 40
    again = flow(systems, JudgeMetric(**judge), "40").run(RoutingPlan(0, seed=1))
    assert server.requests == 40
    assert again.routed.scores.tolist() == first.routed.scores.tolist()
    assert "40 verdicts were kept" in again.printed()
    more = flow(systems, JudgeMetric(**judge), "50").run(RoutingPlan(0, seed=1))
    assert server.requests <= 50
    assert more.bill.spent.calls == server.requests


def test_an_estimate_asks_nobody(systems: list[Pairs], judge_server: Callable[..., Any], tmp_path: Path) -> None:
    server = judge_server()
    judge = JudgeMetric(url=server.url, model="m", prompt="reference", verdicts=str(tmp_path / "kept"))
    lines = flow(systems, judge, "10%").estimate().lines()
    assert lines[0].startswith("would spend 24 calls and ")
    assert server.requests == 0


@pytest.mark.parametrize("text", ["", "x", "-3", "0", "0%", "120%", "inf"])
def test_budgets_that_make_no_sense(text: str) -> None:
    with pytest.raises(UsageError, match="--budget"):
        Allowance(text).calls(100)


def test_earlier_verdicts_on_other_texts_help(systems: list[Pairs], verdicts: str, tmp_path: Path) -> None:
    """The first half of the segments was judged before; ten calls for the other half are then closer to the truth."""
    halves = [
        [Pairs(one.candidates[part], one.references[part], system=one.system) for one in systems]
        for part in (slice(0, 40), slice(40, 80))
    ]
    old = flow(halves[0], JudgeMetric(replay=verdicts), "100%").run(RoutingPlan(0))
    path = tmp_path / "old.jsonl"
    write_table(str(path), old.columns())
    truth = np.array([100 - 11 * text.split().count("x") for one in halves[1] for text in one.candidates])
    run = flow(halves[1], JudgeMetric(replay=verdicts), "10").run
    alone, helped = run(RoutingPlan(0)), run(RoutingPlan(0), read_earlier(str(path)))
    apart = [np.abs(found.routed.scores - truth).mean() for found in (alone, helped)]
    assert apart[1] < apart[0]
    assert [one.rank for one in helped.systems] == [1, 2, 3]
