"""The experiments on a corpus whose topics are known, and the rule that judges a curve."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import UsageError
from farthing.core.registry import load
from farthing.core.specs import Spec
from farthing.meta.diversity import Plan, judge_curves, role_of, run_experiments
from farthing.meta.read.labelled import Labelled

TOPICS = {
    "food": ["soup", "bread", "cheese", "salt", "cook", "oven", "dinner", "butter"],
    "law": ["court", "judge", "trial", "lawyer", "crime", "verdict", "jury", "appeal"],
    "sport": ["goal", "match", "player", "team", "score", "coach", "ball", "league"],
    "space": ["planet", "orbit", "rocket", "star", "moon", "comet", "telescope", "galaxy"],
}


def sentences(size: int) -> Labelled:
    random = np.random.default_rng(0)
    return Labelled.of(
        (topic, f"the {' and the '.join(random.choice(words, 3, replace=False))} number {place}")
        for topic, words in TOPICS.items()
        for place in range(size)
    )


def test_collapse_lowers_diversity_and_not_quality(dev_model: Callable[[str], Path]) -> None:
    options = {"model": str(dev_model("potion-base-8m"))}
    metrics = [load(Spec(name, options)) for name in ("markevaluate", "impar", "fid")]
    [collapse, neighbours] = run_experiments(sentences(150), metrics, ["collapse", "neighbours"], Plan(160))
    assert collapse.steps == (4, 3, 2, 1)
    right = {curve.name: curve.right for curve in collapse.curves}
    assert right["schnabel_quality"]
    assert right["schnabel_diversity"]
    assert right["fid"]
    assert neighbours.steps[0] == 1
    courses = {curve.name: curve.values for curve in neighbours.curves}
    assert all(np.all(np.diff(courses[name]) >= 0) for name in ("impar precision", "impar recall"))
    with pytest.raises(UsageError, match="same samples"):
        next(iter(run_experiments(sentences(150), [*metrics, load("prd")], ["swap"])))


def test_the_judgement_of_curves() -> None:
    values = {"schnabel_quality": [0.8, 0.79], "schnabel_diversity": [0.8, 0.3], "petersen": [0.9, 0.89], "fid": [1, 4]}
    collapse = {curve.name: curve.right for curve in judge_curves("collapse", values)}
    assert collapse == {"schnabel_quality": True, "schnabel_diversity": True, "petersen": False, "fid": True}
    swap = {curve.name: curve.right for curve in judge_curves("swap", values)}
    assert swap == {"schnabel_quality": False, "schnabel_diversity": False, "petersen": False, "fid": True}
    [*_, fid] = judge_curves("collapse", values)
    assert fid.verdict == "fid -3.000: should fall, does"
    assert role_of("impar recall") == "diversity"


def test_swapped_words_lower_the_quality(shared: Path, dev_model: Callable[[str], Path]) -> None:
    """A few hundred sentences of Brown under a real encoder."""
    with gzip.open(shared / "data" / "corpora" / "brown_genres.tsv.gz", "rt", encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines]
    data = Labelled.of((row[0], row[2]) for row in rows if row[0] in ("learned", "romance"))
    metrics = [load(Spec("markevaluate", {"model": str(dev_model("minilm-l6"))}))]
    [swap] = run_experiments(data, metrics, ["swap"], Plan(150))
    assert {curve.name: curve.right for curve in swap.curves}["schnabel_quality"]
