"""Experiments over several seeds: each text is read once, and means and intervals are those of the single runs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import t

from farthing.core.registry import load
from farthing.core.specs import Spec
from farthing.meta.diversity import Plan, run_experiments
from farthing.meta.read.labelled import Labelled
from farthing.meta.repeated import repeat_experiments, repeated_document

WORDS = {
    "food": "soup bread cheese salt oven",
    "law": "court judge trial jury crime",
    "sea": "ship wave fish sail port",
}
DATA = Labelled.of(
    (topic, f"the {a} and the {b} {number}")
    for topic, words in WORDS.items()
    for a in words.split()
    for b in words.split()
    for number in range(4)
)
METRICS = [load(Spec(name, {"model": "nano"})) for name in ("markevaluate", "fid")]
PLAN = Plan(size=60, seed=3, swaps=(0.0, 1.0))


@pytest.mark.parametrize("name", ["collapse", "swap"])
def test_means_and_intervals_are_those_of_the_single_runs(name: str) -> None:
    [repeated] = repeat_experiments(DATA, METRICS, [name], PLAN, seeds=3)
    alone = [next(run_experiments(DATA, METRICS, [name], replace(PLAN, seed=seed))) for seed in (3, 4, 5)]
    assert list(repeated.runs) == alone
    for place, change in enumerate(repeated.changes()):
        values = np.array([run.curves[place].change for run in alone])
        low, high = t.interval(0.95, 2, values.mean(), values.std(ddof=1) / np.sqrt(3))
        assert change.interval == pytest.approx((low, high))
        assert change.values[-1] == pytest.approx(np.mean([run.curves[place].values[-1] for run in alone]))
        assert change.right == sum(run.curves[place].right for run in alone)
        assert repeated.mean().curves[place].right is (change.right == 3)


def test_one_seed_has_no_interval_and_several_have_means_in_the_document() -> None:
    [once] = repeat_experiments(DATA, METRICS, ["collapse"], PLAN, seeds=1)
    assert once.mean() is once.runs[0]
    assert "repeated" not in repeated_document([once])
    found = list(repeat_experiments(DATA, METRICS, ["collapse"], PLAN, seeds=2))
    [means] = repeated_document(found)["repeated"]  # type: ignore[misc]
    assert [one["name"] for one in means["scores"]] == [curve.name for curve in once.runs[0].curves]
