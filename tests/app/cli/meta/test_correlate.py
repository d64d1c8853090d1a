"""`farthing meta correlate` as a user runs it: tables, files, pictures, and one line for every mistake."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
Write = Callable[..., str]

WORDS = "the old cat sat on a big red mat near 12 small dogs in Paris while people slept and the sun was not shining"


def test_a_table_with_groups_mean_and_pool(meta: Run, data: str) -> None:
    done = meta("correlate", data, "-m", "chrf,ter", "--test", "williams")
    assert done.returncode == 0, done.stderr
    head, _, chrf, ter, *rest = done.stdout.splitlines()
    assert head.split() == ["metric", "cs-en", "de-en", "mean", "pooled"]
    assert chrf.split()[0] == "chrf"
    assert ter.split()[0] == "ter"
    assert float(ter.split()[1].strip("*")) > 0.5  # an error rate, turned
    assert any("williams" in line for line in rest)
    assert done.stderr == ""


def test_json_csv_and_latex_say_the_same(meta: Run, data: str, tmp_path: Path) -> None:
    results = json.loads(meta("correlate", data, "-m", "chrf", "-f", "json", "-o", "r.json").stdout)
    value = results["metrics"][0]["groups"]["cs-en"]["value"]
    assert json.loads((tmp_path / "r.json").read_text()) == results
    assert results["kind"] == "meta-correlate"
    assert len(results["points"]["human"]) == 35
    assert float(meta("correlate", data, "-m", "chrf", "-f", "csv").stdout.splitlines()[1].split(",")[1]) == value
    latex = meta("correlate", data, "-m", "chrf", "-f", "latex").stdout
    assert rf"chrf & {value:.3f}" in latex
    assert r"\bottomrule" in latex


def test_scores_are_kept_and_a_second_run_is_the_same(meta: Run, data: str, tmp_path: Path) -> None:
    first = meta("correlate", data, "-m", "chrf,bleu").stdout
    assert len(list((tmp_path / "kept").glob("*/manifest.json"))) == 4  # two metrics, two groups
    assert meta("correlate", data, "-m", "chrf,bleu").stdout == first
    assert meta("correlate", data, "-m", "chrf,bleu", "--fresh").stdout == first


@pytest.mark.parametrize(
    "options",
    [
        ["--statistic", "accuracy_calibrated", "--average", "item", "--test", "permutation", "--resamples", "50"],
        ["--statistic", "kendall_b", "--average", "system"],
        ["--statistic", "soft_pairwise_accuracy", "--level", "system"],
        ["--statistic", "accuracy", "--level", "system", "--test", "bootstrap", "--resamples", "20"],
        ["--human", "scores.fluency", "--by", "none", "--groups", "all"],
    ],
)
def test_other_questions(meta: Run, data: str, options: list[str]) -> None:
    done = meta("correlate", data, "-m", "chrf,bleu", *options)
    assert done.returncode == 0, done.stderr
    assert "nan" not in done.stdout


def test_pictures(meta: Run, data: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    done = meta("correlate", data, "-m", "chrf,ter", "--test", "williams", "--scatter", "s.png", "--matrix", "m.svg")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "s.png").read_bytes()[:4] == b"\x89PNG"
    assert b"<svg" in (tmp_path / "m.svg").read_bytes()[:400]


def test_score_files_stand_beside_metrics(
    meta: Run, data: str, write: Write, judged_rows: list[dict[str, Any]]
) -> None:
    write("mine.txt", *(str(-row["score"] if row["score"] is not None else 0) for row in judged_rows))
    right = meta("correlate", data, "--score-file", "mine=mine.txt", "--lower", "mine", "-f", "csv")
    assert float(right.stdout.splitlines()[1].split(",")[1]) == pytest.approx(1)
    both = meta("correlate", data, "-m", "chrf", "--score-file", "again=human.jsonl:label", "-f", "csv")
    assert [line.split(",")[0] for line in both.stdout.splitlines()] == ["metric", "chrf", "again"]


def test_preferences(meta: Run, write: Write, judged_rows: list[dict[str, Any]]) -> None:
    pairs = [
        {"better": row["reference"], "worse": row["candidate"], "reference": row["reference"]} for row in judged_rows
    ]
    path = write("rr.jsonl", *(json.dumps(pair) for pair in pairs))
    done = meta("correlate", path, "-m", "chrf", "-f", "json")
    found = json.loads(done.stdout)
    equal = sum(pair["better"] == pair["worse"] for pair in pairs)
    cell = found["metrics"][0]["groups"]["all"]
    assert (cell["pairs"], cell["value"]) == (len(pairs), pytest.approx(1 - 2 * equal / len(pairs)))
    assert found["question"]["statistic"] == "kendall_like(threshold=1)"


def test_a_folder_of_wmt_and_a_table_of_scores(meta: Run, write: Write, tmp_path: Path) -> None:
    for name in ("system-outputs/de-en", "references"):
        (tmp_path / "wmt" / name).mkdir(parents=True)
    for system in range(4):
        lines = [" ".join(WORDS.split()[segment : 20 - system * 2]) for segment in range(5)]
        (tmp_path / "wmt" / "system-outputs" / "de-en" / f"S{system}.txt").write_text("\n".join(lines) + "\n")
    (tmp_path / "wmt" / "references" / "de-en.refA.txt").write_text(f"{WORDS}\n" * 5)
    write("da.tsv", "lp\tsystem\tscore", *(f"de-en\tS{system}\t{-system}" for system in range(4)))
    done = meta("correlate", "wmt", "--judgements", "da.tsv", "-m", "chrf,bleu", "--level", "system", "-f", "csv")
    assert done.returncode == 0, done.stderr
    assert float(done.stdout.splitlines()[1].split(",")[1]) > 0.9


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["correlate", "none.jsonl"], "none.jsonl"),
        (["correlate", "human.jsonl", "-m", "chrff"], "did you mean 'chrf'"),
        (["correlate", "human.jsonl", "--statistic", "pearsn"], "did you mean 'pearson'"),
        (["correlate", "human.jsonl", "--human", "fame"], "no column 'fame'"),
        (["correlate", "human.jsonl", "--groups", "fi-en"], "unknown group 'fi-en'"),
        (["correlate", "human.jsonl", "--average", "segment"], "invalid choice"),
        (["correlate", "human.jsonl", "--matrix", "m.png"], "name a test"),
        (["correlate", "human.jsonl", "--scatter", "m.gif"], "unknown kind of picture"),
        (["correlate", "human.jsonl", "-o", "r.txt"], ".json"),
        (["correlate", "human.jsonl", "-o", "no/r.json"], "does not exist"),
        (["correlate", "human.jsonl", "-m", "chrf", "--test", "williams", "--statistic", "kendall_b"], "Williams"),
        (["correlate", "human.jsonl", "-m", "chrf,chrf"], "twice"),
        (["correlate", "human.jsonl", "--score-file", "x.txt"], "name=file"),
        (["correlate", "human.jsonl", "--score-file", "x=missing.txt"], "missing.txt"),
        (["correlate", "human.jsonl", "--score-file", "x=human.jsonl:fame"], "no column 'fame'"),
        (["correlate", "human.jsonl", "--lower", "chrf"], "unknown score file"),
        (["correlate", "human.jsonl", "--resamples", "0"], "at least 1"),
        (["corelate", "human.jsonl"], "did you mean 'correlate'"),
    ],
)
def test_every_mistake_is_one_line(meta: Run, data: str, command: list[str], words: str) -> None:
    done = meta(*command)
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("scores", "words"),
    [([3, 3, 3, 3], "all human scores are equal"), ([1, 2], "at least three"), ([None, None, None], "no score in it")],
)
def test_data_that_define_nothing(meta: Run, write: Write, scores: list[Any], words: str) -> None:
    lines = [{"candidate": f"a{n} b", "reference": f"a{n} c", "score": score} for n, score in enumerate(scores)]
    write("odd.jsonl", *(json.dumps(line) for line in lines))
    done = meta("correlate", "odd.jsonl", "-m", "chrf")
    assert words in done.stdout + done.stderr
    assert "nan" not in done.stdout.lower()


def test_groups_with_wildcards(meta: Run, data: str) -> None:
    found = json.loads(meta("correlate", data, "-m", "chrf", "--groups", "c?-en", "-f", "json").stdout)
    assert found["groups"] == ["cs-en"]
    everything = json.loads(meta("correlate", data, "-m", "chrf", "--groups", "*-en", "-f", "json").stdout)
    assert everything["groups"] == ["cs-en", "de-en"]
