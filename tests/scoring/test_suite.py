"""A folder of test sets: rows, means and leaderboard against scores one by one."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
import sacrebleu

from farthing.files.suite import read_suite
from farthing.scoring.output import Target
from farthing.scoring.score import choose
from farthing.scoring.suite import SuiteScores, score_suite

REFERENCES = {"a/en-de": ["the cat sat", "hello big world"], "b/de-en": ["five green apples"]}
OUTPUTS = {
    "a/en-de": {"good": ["the cat sat", "hello world"], "bad": ["a dog", "hello"], "late": ["the cat", "hello world"]},
    "b/de-en": {"good": ["five apples"], "bad": ["six pears"]},
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, references in REFERENCES.items():
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "ref").write_text("\n".join(references) + "\n")
        for system, texts in OUTPUTS[name].items():
            (tmp_path / name / f"hyp.{system}").write_text("\n".join(texts) + "\n")
    return tmp_path


@pytest.fixture
def found(root: Path) -> SuiteScores:
    return score_suite(choose("chrf,ter"), read_suite(root))


def expected(system: str) -> list[float]:
    """sacrebleu's chrF of every set."""
    return [
        sacrebleu.corpus_chrf(outputs[system], [REFERENCES[name]]).score
        for name, outputs in OUTPUTS.items()
        if system in outputs
    ]


def test_means_are_over_sets_not_segments(found: SuiteScores) -> None:
    board = {one.system: one for one in found.leaderboard()}
    for system, one in board.items():
        assert one.means[0] == pytest.approx(np.mean(expected(system)))
    assert [(one.system, one.rank, one.sets, one.best) for one in board.values()] == [
        ("good", 1, 2, 2), ("bad", 2, 2, 0), ("late", None, 1, 0),
    ]  # fmt: skip


def test_every_metric_is_loaded_once(root: Path) -> None:
    metrics = choose("chrf")
    found = score_suite(metrics, read_suite(root))
    assert len(found.sets) == 2
    assert {one.scores.metrics for one in found.sets} == {(metrics[0].metric.info,)}


def test_lower_is_better_for_error_rates(root: Path) -> None:
    board = score_suite(choose("ter"), read_suite(root)).leaderboard()
    assert [one.system for one in board] == ["good", "bad", "late"]


def test_printed_forms(found: SuiteScores) -> None:
    table = found.printed()
    assert table.splitlines()[0].split() == ["set", "pair", "system", "chrf", "↑", "ter", "↓"]
    assert "2 of 2" in table
    assert table.count("chrf|nrefs:1") == 1  # the same signature for all sets stands there once
    document = json.loads(found.printed("json"))
    assert [one["pair"] for one in document["sets"]] == ["en-de", "de-en"]
    assert document["leaderboard"][0]["means"]["chrf"] == pytest.approx(np.mean(expected("good")))
    rows = list(csv.DictReader(io.StringIO(found.printed("csv"))))
    assert len(rows) == (5 + 3) * 2
    assert [row["set"] for row in rows].count("mean") == 6
    assert found.printed("markdown").count("|---") == 2
    assert found.printed("latex").count(r"\toprule") == 2


def test_intervals_are_shown(root: Path) -> None:
    assert "[" in score_suite(choose("chrf"), read_suite(root), intervals=True).printed().splitlines()[2]


def test_segments_of_all_sets_in_one_table(found: SuiteScores) -> None:
    columns = found.columns(Target(with_texts=True))
    assert list(columns)[:4] == ["set", "pair", "system", "row"]
    assert list(columns["set"]) == ["a"] * 6 + ["b"] * 2
    assert list(columns["candidate"])[-1] == "five apples" or list(columns["candidate"])[-2] == "five apples"
    assert len(columns["chrf"]) == 8
