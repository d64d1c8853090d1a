"""`farthing meta` as a user runs it: tables, files, pictures, and one line for every mistake."""

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


def rows(systems: int = 3, items: int = 12) -> list[dict[str, Any]]:
    """Outputs that lose words, with human scores that say how many."""
    words = WORDS.split()
    found = []
    for item in range(items):
        reference = words[item % 7 :] + words[: item % 7] + [f"number{item}"]
        for system in range(systems):
            lost = (system * 3 + item) % 8
            output = " ".join(reference[lost:])
            found.append(
                {
                    "lp": "de-en" if item % 2 else "cs-en",
                    "system": f"S{system}",
                    "segment_id": item,
                    "reference": " ".join(reference),
                    "candidate": output,
                    "score": None if (system, item) == (0, 3) else -lost,
                    "scores": {"fluency": 5 - lost / 2},
                    "label": int(lost < 3),
                }
            )
    return found


@pytest.fixture
def data(write: Write) -> str:
    return write("human.jsonl", *(json.dumps(row) for row in rows()))


@pytest.fixture
def meta(run: Run) -> Run:
    """The command with its scores kept in the test's own folder."""

    def call(command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return run("meta", command, *arguments, "--scores", "kept")

    return call


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
    assert len(list((tmp_path / "kept").glob("*.npz"))) == 4  # two metrics, two groups
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


def test_score_files_stand_beside_metrics(meta: Run, data: str, write: Write) -> None:
    write("mine.txt", *(str(-row["score"] if row["score"] is not None else 0) for row in rows()))
    right = meta("correlate", data, "--score-file", "mine=mine.txt", "--lower", "mine", "-f", "csv")
    assert float(right.stdout.splitlines()[1].split(",")[1]) == pytest.approx(1)
    both = meta("correlate", data, "-m", "chrf", "--score-file", "again=human.jsonl:label", "-f", "csv")
    assert [line.split(",")[0] for line in both.stdout.splitlines()] == ["metric", "chrf", "again"]


def test_hybrids_and_selection(meta: Run, data: str) -> None:
    done = meta("hybrids", data, "-m", "chrf,bleu", "--hybrids", "200", "--test", "williams")
    assert done.returncode == 0, done.stderr
    assert "200 hybrid systems" in done.stdout
    chosen = meta(
        "select", data, "-m", "chrf,bleu", "--hybrids", "200", "--draws", "300", "--drawn", "10", "-f", "json"
    )
    results = json.loads(chosen.stdout)
    assert 0 < results["metrics"][0]["groups"]["cs-en"]["hits"]["value"] <= 1
    shown = meta("select", data, "-m", "chrf,bleu", "--hybrids", "200", "--draws", "300", "--drawn", "10").stdout
    assert all(name in shown for name in ("Hits@1", "mean reciprocal rank", "lost human score"))


def test_robustness_by_changes_and_by_labels(meta: Run, data: str) -> None:
    done = meta("robustness", data, "-m", "chrf", "--changes", "number,antonym,word order", "--good", "identical")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[2].split() == ["chrf", "1.000", "1.000", "1.000"]
    areas = json.loads(meta("robustness", data, "-m", "chrf,ter", "--labels", "label", "-f", "json").stdout)
    assert areas["metrics"][0]["groups"]["pooled"]["value"] > 0.9


def test_preferences(meta: Run, write: Write) -> None:
    pairs = [{"better": row["reference"], "worse": row["candidate"], "reference": row["reference"]} for row in rows()]
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
        (["select", "human.jsonl", "--hybrids", "50", "--drawn", "60"], "cannot draw 60 of 50"),
        (["hybrids", "human.jsonl", "--system", "lp"], "two different outputs"),
        (["robustness", "human.jsonl", "--changes", "colour"], "unknown change 'colour'"),
        (["robustness", "human.jsonl", "--labels", "score"], "labels must be"),
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


def test_import_of_the_package_stays_light(run: Run) -> None:
    import sys

    code = (
        "import sys, farthing, farthing.meta; "
        "print([m for m in ('scipy', 'torch', 'matplotlib', 'pandas', 'sacrebleu') if m in sys.modules]); "
        "farthing.meta.correlate, farthing.meta.williams; "
        "print([m for m in ('scipy', 'torch', 'matplotlib', 'pandas') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["[]", "[]"]
