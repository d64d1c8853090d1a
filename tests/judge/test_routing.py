"""Routing on a made-up judge whose every verdict is known."""

from __future__ import annotations

import numpy as np
import pytest

from farthing.core.arrays import Indices
from farthing.judge.drawing import Policy
from farthing.judge.fitted import Rows
from farthing.judge.routing import Routed, Router, RoutingPlan

SYSTEMS, SEGMENTS = 4, 150


class World:
    """Rows with verdicts, half of which the student knows; every tenth output of system 1 repeats that of 0."""

    def __init__(self, seed: int = 0) -> None:
        random = np.random.default_rng(seed)
        self.verdicts = 95 - random.gamma(1.0, 8.0, SYSTEMS * SEGMENTS)
        copies = np.arange(0, SEGMENTS, 10)
        self.verdicts[SEGMENTS + copies] = self.verdicts[copies]
        student = self.verdicts / 2 + random.normal(0, 3, len(self.verdicts))
        student[SEGMENTS + copies] = student[copies]
        self.rows = Rows(student, np.tile(np.arange(SEGMENTS), SYSTEMS), np.repeat(np.arange(SYSTEMS), SEGMENTS))
        names = np.arange(SYSTEMS * SEGMENTS)
        names[SEGMENTS + copies] = copies
        self.texts = np.unique(names, return_inverse=True)[1]
        self.first = np.unique(self.texts, return_index=True)[1]
        self.asked: list[int] = []

    def ask(self, places: Indices) -> np.ndarray:
        self.asked += places.tolist()
        return np.asarray(self.verdicts[self.first[places]])

    def route(self, plan: RoutingPlan, lower: bool = False) -> Routed:
        rows = Rows(-self.rows.student, self.rows.segments, self.rows.systems) if lower else self.rows
        ask = (lambda places: -self.ask(places)) if lower else self.ask
        return Router(rows, self.texts, ask, plan, lower=lower).route()


@pytest.mark.parametrize("policy", ["worst", "uncertain", "random"])
def test_a_budget_is_spent_once_per_text_and_every_row_has_a_score(policy: Policy) -> None:
    world = World()
    found = world.route(RoutingPlan(120, policy, seed=3))
    assert len(world.asked) == len({*world.asked}) == 120
    known = np.isfinite(found.verdicts)
    assert found.scores[known] == pytest.approx(world.verdicts[known])
    assert np.isfinite(found.scores).all()
    assert found.probabilities.min() >= 0.01
    assert known.sum() >= 120


def test_the_worst_are_seen_and_the_order_is_kept_better_than_by_chance() -> None:
    world = World()
    truth = world.verdicts
    worst, even = (World().route(RoutingPlan(120, policy)).scores for policy in ("worst", "random"))
    assert np.corrcoef(worst, truth)[0, 1] > np.corrcoef(even, truth)[0, 1] + 0.02
    assert np.corrcoef(even, truth)[0, 1] > np.corrcoef(world.rows.student, truth)[0, 1]


def test_a_judge_that_counts_errors_is_routed_alike() -> None:
    plan = RoutingPlan(100, seed=1)
    up, down = World(), World()
    first, second = up.route(plan), down.route(plan, lower=True)
    assert {*up.asked} == {*down.asked}
    assert first.scores == pytest.approx(-second.scores)


def test_calls_that_fail_are_stood_for_by_the_others() -> None:
    world = World()
    random = np.random.default_rng(5)

    def ask(places: Indices) -> np.ndarray:
        return np.where(random.random(len(places)) < 0.3, np.nan, world.ask(places))

    found = Router(world.rows, world.texts, ask, RoutingPlan(150, "random")).route()
    drawn = found.drawn
    assert drawn.sum() == np.isfinite(found.verdicts).sum()
    assert (1 / found.probabilities[drawn]).sum() == pytest.approx(SYSTEMS * SEGMENTS, rel=0.05)


def test_everything_may_be_judged() -> None:
    world = World()
    found = world.route(RoutingPlan(10_000))
    assert found.scores == pytest.approx(world.verdicts)


def test_how_much_is_drawn() -> None:
    assert RoutingPlan(1000).drawn(5000) == 200
    assert RoutingPlan(60).drawn(5000) == 50
    assert RoutingPlan(60).drawn(500) == 30
    assert RoutingPlan(100, "random").drawn(5000) == 100
