"""`farthing meta hybrids`: against hybrids whose texts are assembled and scored one by one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sacrebleu
from scipy import stats

from farthing.meta.hybrids import Picks

Meta = Callable[..., Any]
Rows = list[dict[str, Any]]


def assembled(rows: Rows, count: int, seed: int) -> tuple[list[float], list[float]]:
    """The human and the chrF scores of hybrids, from their texts."""
    systems = [[row for row in rows if row["system"] == f"S{n}"] for n in range(3)]
    [picks] = Picks(np.ones((3, len(systems[0])), dtype=bool), count, seed).blocks()
    hybrids = [[systems[system][item] for item, system in enumerate(picked)] for picked in picks]
    human = [np.mean([row["score"] for row in hybrid if row["score"] is not None]) for hybrid in hybrids]
    chrf = [
        sacrebleu.corpus_chrf([row["candidate"] for row in one], [[row["reference"] for row in one]]).score
        for one in hybrids
    ]
    return human, chrf


def test_hybrids_are_systems_of_assembled_texts(meta: Meta, data: str, rows: Rows) -> None:
    options = ["-m", "chrf", "--hybrids", "40", "--seed", "3", "-f", "json"]
    found = json.loads(meta("hybrids", data, *options).stdout)
    assert (found["kind"], found["hybrids"]) == ("meta-hybrids", 40)
    for lp in ("cs-en", "de-en"):  # de-en has a segment without a human score
        human, chrf = assembled([row for row in rows if row["lp"] == lp], 40, 3)
        value = found["metrics"][0]["groups"][lp]["value"]
        assert value == pytest.approx(stats.pearsonr(human, chrf).statistic, abs=1e-9)


def test_another_statistic_and_another_column(meta: Meta, data: str, rows: Rows) -> None:
    options = ["--hybrids", "30", "--statistic", "kendall_b", "--human", "scores.fluency", "--groups", "cs-en"]
    shown = meta("hybrids", data, "-m", "chrf", *options, "-f", "csv").stdout
    human, chrf = assembled([row for row in rows if row["lp"] == "cs-en"], 30, 0)  # fluency is a line of the score
    expected = stats.kendalltau(np.round(human, 9), chrf).statistic
    assert float(shown.splitlines()[1].split(",")[1]) == pytest.approx(expected, abs=1e-9)


def test_the_table_says_what_was_made_and_tested(meta: Meta, data: str) -> None:
    options = ["--hybrids", "200", "--test", "williams", "--seed", "7"]
    shown = meta("hybrids", data, "-m", "chrf,bleu", *options).stdout
    assert shown.splitlines()[0].split() == ["metric", "cs-en", "de-en", "mean"]
    assert "200 hybrid systems, seed 7" in shown
    assert "not beaten by any other metric (williams test" in shown
    assert meta("hybrids", data, "-m", "chrf,bleu", *options).stdout == shown


def test_a_matrix_is_drawn(meta: Meta, data: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    meta("hybrids", data, "-m", "chrf,bleu", "--hybrids", "20", "--test", "williams", "--matrix", "m.svg")
    assert b"<svg" in (tmp_path / "m.svg").read_bytes()[:400]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["human.jsonl", "--system", "lp"], "two different outputs"),
        (["human.jsonl", "--hybrids", "2"], "--hybrids 2 must be at least 3"),
        (["human.jsonl", "--matrix", "m.svg"], "name a test with --test"),
        (["human.jsonl", "--statistic", "kendall_b", "--test", "williams"], "Williams' test is for pearson"),
        (["human.jsonl", "--statistic", "pearsn", "-m", "chrf"], "did you mean 'pearson'"),
        (["human.jsonl", "-o", "r.csv"], "written as .json"),
    ],
)
def test_every_mistake_is_one_sentence(meta: Meta, data: str, arguments: list[str], words: str) -> None:
    assert words in meta("hybrids", *arguments, code=2).stderr


def test_one_system_makes_no_hybrids(meta: Meta, write: Callable[..., str], rows: Rows) -> None:
    write("one.jsonl", *(json.dumps(row) for row in rows if row["system"] == "S0"))
    told = meta("hybrids", "one.jsonl", "-m", "chrf", code=2).stderr
    assert told == "one.jsonl: hybrids need outputs of at least two systems; name them with --system"
