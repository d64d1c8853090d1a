"""Means of labels with the help of a metric, through `score` and `compare`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import UsageError
from farthing.core.types import Pairs
from farthing.files.inputs import Given
from farthing.judge.estimates import classical_mean, powered_mean
from farthing.judge.powered import PoweredResult, powered_result
from farthing.scoring.comparison import Comparison
from farthing.scoring.score import choose, score

ROWS = 120


@pytest.fixture
def systems() -> list[Pairs]:
    random = np.random.default_rng(0)
    words = np.array(["red", "green", "blue", "black", "white", "brown"])
    references = [[" ".join(random.choice(words, 8))] for _ in range(ROWS)]

    def damaged(rate: float) -> list[str]:
        return [" ".join("?" if random.random() < rate else w for w in row[0].split()) for row in references]

    return [Pairs(damaged(rate), references, system=name) for name, rate in (("a", 0.2), ("b", 0.4))]


def label(text: str) -> float:
    return 10.0 - text.count("?")


@pytest.fixture
def few(systems: list[Pairs], tmp_path: Path) -> str:
    path = tmp_path / "few.jsonl"
    rows = [
        {"system": pairs.system, "row": row + 1, "score": label(pairs.candidates[row])}
        for pairs in systems
        for row in range(0, ROWS, 3)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def scored(systems: list[Pairs], metrics: str = "chrf") -> Comparison:
    return score(choose(metrics), Given(systems), test="bootstrap", resamples=10)


def result(systems: list[Pairs], few: str) -> tuple[Comparison, PoweredResult]:
    found = scored(systems)
    return found, powered_result(found, systems, few)


def test_means_are_those_of_the_kernel(systems: list[Pairs], few: str) -> None:
    found, powered = result(systems, few)
    truth = np.array([label(text) for text in systems[0].candidates])
    segments = np.asarray(found.rows[0].cells[0].scores.segments)
    known = np.arange(ROWS) % 3 == 0
    first, _, difference = powered.means
    assert first.estimate == powered_mean(truth[known], segments[known], segments[~known])
    assert first.alone == classical_mean(truth[known])
    assert first.worth > ROWS / 3
    assert (difference.system, difference.against) == ("b", "a")
    assert difference.estimate.p_value() < 0.05


def test_every_form_prints(systems: list[Pairs], few: str) -> None:
    found, powered = result(systems, few)
    table = powered.printed("table", found, width=None, digits=None)
    assert "b - a" in table
    assert "labels alone" in table
    assert json.loads(powered.printed("json", found, width=None, digits=None))["labels"][0]["labels"] == 40
    assert powered.printed("csv", found, width=None, digits=None).count("\n") == 3
    assert "b - a" in powered.printed("markdown", found, width=None, digits=3)


def test_labels_with_probabilities_are_weighted(systems: list[Pairs], tmp_path: Path) -> None:
    path = tmp_path / "few.jsonl"
    random = np.random.default_rng(1)
    rows = []
    for pairs in systems:
        for row, text in enumerate(pairs.candidates):
            chance = 0.8 if label(text) < 8 else 0.3
            if random.random() < chance:
                rows.append({"system": pairs.system, "row": row + 1, "score": label(text), "probability": chance})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    _, powered = result(systems, str(path))
    truth = [np.mean([label(text) for text in pairs.candidates]) for pairs in systems]
    plain = np.mean([row["score"] for row in rows if row["system"] == "a"])
    assert abs(powered.means[0].estimate.mean - truth[0]) < abs(plain - truth[0])
    assert powered.means[0].alone is None
    assert powered.means[2].estimate.mean == pytest.approx(truth[1] - truth[0], abs=3 * powered.means[2].estimate.error)


def test_systems_labelled_on_different_rows_are_compared_by_their_means(systems: list[Pairs], tmp_path: Path) -> None:
    path = tmp_path / "few.jsonl"
    rows = [
        {"system": pairs.system, "row": row + 1, "score": label(pairs.candidates[row])}
        for place, pairs in enumerate(systems)
        for row in range(place, ROWS, 2)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    _, powered = result(systems, str(path))
    a, b, difference = (one.estimate for one in powered.means)
    assert difference.mean == pytest.approx(b.mean - a.mean)
    assert difference.error == pytest.approx(np.hypot(a.error, b.error))


def test_too_few_labels_and_set_metrics_are_a_sentence(systems: list[Pairs], few: str, tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text('{"system": "a", "row": 1, "score": 3}\n', encoding="utf-8")
    with pytest.raises(UsageError, match="a has 1 labels"):
        powered_result(scored(systems), systems, str(path))
    with pytest.raises(UsageError, match="judges a whole set"):
        powered_result(score(choose("distinct"), Given(systems)), systems, few)
