"""Intervals of the mean verdict: they cover what judging everything would have given."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from scipy import stats

from farthing.core.errors import UsageError
from farthing.judge.drawing import Policy
from farthing.judge.fitted import Rows
from farthing.judge.means import advised_share, length_against_even, unaided, verdict_means
from farthing.judge.routing import Routed, Router, RoutingPlan


def route(seed: int, policy: Policy, calls: int = 120, systems: int = 1, rows: int = 900) -> tuple[Routed, np.ndarray]:
    random = np.random.default_rng(seed)
    verdicts = 95 - random.gamma(2.0, 6.0, rows)
    student = verdicts / 2 + random.normal(0, 3, rows)
    count = rows // systems
    given = Rows(student, np.tile(np.arange(count), systems), np.repeat(np.arange(systems), count))
    plan = RoutingPlan(calls, policy, seed=seed)
    return Router(given, np.arange(rows), lambda places: np.asarray(verdicts[places]), plan).route(), verdicts


@pytest.mark.parametrize("policy", ["worst", "uncertain", "random"])
def test_intervals_cover_the_full_verdict(policy: Policy) -> None:
    covered, errors = [], []
    for seed in range(120):
        routed, verdicts = route(seed, policy)
        [found] = verdict_means(routed, 1)
        limits = found.interval()
        covered.append(limits.low <= verdicts.mean() <= limits.high)
        errors.append(found.mean - verdicts.mean())
    assert np.mean(covered) == pytest.approx(0.95, abs=0.04)
    assert abs(np.mean(errors)) < 3 * np.std(errors) / np.sqrt(120)  # unbiased


def test_several_systems_share_what_is_known_of_the_errors() -> None:
    covered = []
    for seed in range(25):
        routed, verdicts = route(seed, "worst", systems=3)
        limits = [one.interval() for one in verdict_means(routed, 3)]
        truth = verdicts.reshape(3, -1).mean(axis=1)
        covered += [one.low <= mean <= one.high for one, mean in zip(limits, truth, strict=True)]
    assert np.mean(covered) == pytest.approx(0.95, abs=0.06)


@pytest.mark.parametrize("systems", [1, 6])
def test_the_error_is_that_of_repeated_draws(systems: int) -> None:
    """The student errs along a curve, which draws at equal steps cancel in part, the less so for one of six systems."""
    missed, errors = [], []
    for seed in range(250):
        random = np.random.default_rng(seed)
        student = random.random(1200)
        verdicts = 60 + 30 * student**3 + random.normal(0, 2, 1200)
        given = Rows(student, np.arange(1200), np.repeat(np.arange(systems), 1200 // systems))
        plan = RoutingPlan(120, "random", seed=seed)
        ask = partial(np.take, verdicts)
        estimates = verdict_means(Router(given, np.arange(1200), ask, plan).route(), systems)
        truth = verdicts.reshape(systems, -1).mean(axis=1)
        missed.append([one.mean - mean for one, mean in zip(estimates, truth, strict=True)])
        errors.append([one.error for one in estimates])
    assert np.mean(errors) == pytest.approx(np.std(missed), rel=0.12)


def test_if_everything_is_judged_the_mean_is_known() -> None:
    routed, verdicts = route(0, "random", calls=900)
    [found] = verdict_means(routed, 1)
    assert (found.mean, found.width) == pytest.approx((verdicts.mean(), 0.0))


@pytest.mark.parametrize("policy", ["worst", "uncertain", "random"])
def test_a_student_never_lengthens_what_the_same_labels_give(policy: Policy) -> None:
    """The classical interval of the same verdicts weighs each by its probability, and has no student."""
    widths = []
    for seed in range(40):
        routed, _ = route(seed, policy)
        widths.append([verdict_means(one, 1)[0].width for one in (routed, unaided(routed))])
    ours, classical = np.mean(widths, axis=0)
    assert ours < 0.9 * classical


def test_how_long_an_interval_is_beside_rows_drawn_evenly() -> None:
    """The classical interval of as many rows drawn evenly is known here, since every verdict is."""
    told, ours, even = [], [], []
    for seed in range(60):
        routed, verdicts = route(seed, "worst")
        told.append(length_against_even(routed))
        ours.append(verdict_means(routed, 1)[0].width)
        count = int(np.isfinite(routed.verdicts).sum())
        even.append(2 * stats.t.ppf(0.975, count - 1) * verdicts.std() * np.sqrt((1 - count / 900) / count))
    assert np.mean(told) == pytest.approx(np.mean(ours) / np.mean(even), rel=0.05)
    assert length_against_even(route(0, "random", calls=900)[0]) == 1


def test_with_the_advised_share_intervals_are_as_long_as_those_of_rows_drawn_evenly() -> None:
    before, after = [], []
    for seed in range(25):
        random = np.random.default_rng(seed)
        verdicts = random.normal(50, 9, 1500)
        given = Rows(verdicts + random.normal(0, 12, 1500), np.arange(1500), np.zeros(1500, dtype=int))
        plan, ask = RoutingPlan(200, seed=seed), partial(np.take, verdicts)
        first = Router(given, np.arange(1500), ask, plan).route()
        second = Router(given, np.arange(1500), ask, replace(plan, share=advised_share(first), seed=seed + 99)).route()
        before.append(length_against_even(first))
        after.append(length_against_even(second))
    assert np.mean(before) > 1.3
    assert np.mean(after) == pytest.approx(1, abs=0.06)


def test_too_few_draws_are_a_sentence() -> None:
    with pytest.raises(UsageError, match="too few for an interval"):
        verdict_means(route(0, "random", calls=2)[0], 1)
