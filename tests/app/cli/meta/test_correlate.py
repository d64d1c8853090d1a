"""`farthing meta correlate`: numbers against sacrebleu and scipy, forms of the result, and every mistake."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sacrebleu
from scipy import stats

from farthing.meta.significance import williams_test

Meta = Callable[..., Any]
Write = Callable[..., str]
Rows = list[dict[str, Any]]
LANGUAGES = ("cs-en", "de-en")


def chrf_of(rows: Rows) -> list[float]:
    return [sacrebleu.sentence_chrf(row["candidate"], [row["reference"]]).score for row in rows]


def test_groups_and_pool_equal_scipy(meta: Meta, data: str, rows: Rows) -> None:
    found = json.loads(meta("correlate", data, "-m", "chrf", "--statistic", "spearman", "-f", "json").stdout)
    cells = found["metrics"][0]
    judged = [row for row in rows if row["score"] is not None]
    expected = {}
    for lp in (*LANGUAGES, "pooled"):
        own = [row for row in judged if lp in (row["lp"], "pooled")]
        expected[lp] = stats.spearmanr([row["score"] for row in own], chrf_of(own)).statistic
    assert {lp: cells["groups"][lp]["value"] for lp in LANGUAGES} == pytest.approx(
        {lp: expected[lp] for lp in LANGUAGES}, abs=1e-9
    )
    assert cells["pooled"]["value"] == pytest.approx(expected["pooled"], abs=1e-9)
    assert cells["mean"] == pytest.approx((expected["cs-en"] + expected["de-en"]) / 2, abs=1e-9)


def test_whole_systems_are_scored_as_corpora(meta: Meta, data: str, rows: Rows) -> None:
    options = ["--level", "system", "--human", "scores.fluency", "--groups", "cs*", "-f", "csv"]
    shown = meta("correlate", data, "-m", "bleu", *options).stdout
    systems = [[row for row in rows if (row["lp"], row["system"]) == ("cs-en", f"S{n}")] for n in range(3)]
    people = [np.mean([row["scores"]["fluency"] for row in own]) for own in systems]
    bleu = [
        sacrebleu.corpus_bleu([row["candidate"] for row in own], [[row["reference"] for row in own]]).score
        for own in systems
    ]
    assert shown.splitlines()[0] == "metric,cs-en"
    assert float(shown.splitlines()[1].split(",")[1]) == pytest.approx(stats.pearsonr(people, bleu).statistic, abs=1e-9)


def test_the_test_is_of_the_metrics_own_scores(meta: Meta, data: str, rows: Rows) -> None:
    options = ["-m", "chrf,ter", "--test", "williams", "--human", "scores.fluency", "--by", "none", "-f", "json"]
    found = json.loads(meta("correlate", data, *options).stdout)
    people = np.array([row["scores"]["fluency"] for row in rows])
    ter = [-sacrebleu.sentence_ter(row["candidate"], [row["reference"]]).score for row in rows]
    expected = williams_test(people, chrf_of(rows), ter)
    assert found["p_values"]["all"][0][1] == pytest.approx(expected.p_value, abs=1e-9)
    assert found["p_values"]["all"][1][0] == pytest.approx(expected.p_reverse, abs=1e-9)


def test_json_csv_and_latex_say_the_same(meta: Meta, data: str, tmp_path: Path) -> None:
    results = json.loads(meta("correlate", data, "-m", "chrf", "-f", "json", "-o", "r.json").stdout)
    value = results["metrics"][0]["groups"]["cs-en"]["value"]
    assert json.loads((tmp_path / "r.json").read_text()) == results
    assert results["kind"] == "meta-correlate"
    assert len(results["points"]["human"]) == 35
    assert float(meta("correlate", data, "-m", "chrf", "-f", "csv").stdout.splitlines()[1].split(",")[1]) == value
    latex = meta("correlate", data, "-m", "chrf", "-f", "latex").stdout
    assert rf"chrf & {value:.3f}" in latex
    assert r"\bottomrule" in latex


def test_scores_are_kept_and_a_second_run_is_the_same(meta: Meta, data: str, tmp_path: Path) -> None:
    first = meta("correlate", data, "-m", "chrf,bleu").stdout
    assert len(list((tmp_path / "kept").iterdir())) == 4  # two metrics, two groups
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
def test_other_questions(meta: Meta, data: str, options: list[str]) -> None:
    shown = meta("correlate", data, "-m", "chrf,bleu", *options).stdout
    assert [line.split()[0] for line in shown.splitlines()[2:4]] == ["chrf", "bleu"]
    assert "nan" not in shown


def test_pictures(meta: Meta, data: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    meta("correlate", data, "-m", "chrf,ter", "--test", "williams", "--scatter", "s.png", "--matrix", "m.svg")
    assert (tmp_path / "s.png").read_bytes()[:4] == b"\x89PNG"
    assert b"<svg" in (tmp_path / "m.svg").read_bytes()[:400]


def test_score_files_stand_beside_metrics(meta: Meta, data: str, rows: Rows, write: Write) -> None:
    write("mine.txt", *(str(-row["score"] if row["score"] is not None else 0) for row in rows))
    right = meta("correlate", data, "--score-file", "mine=mine.txt", "--lower", "mine", "-f", "csv")
    assert float(right.stdout.splitlines()[1].split(",")[1]) == pytest.approx(1)
    both = meta("correlate", data, "-m", "chrf", "--score-file", "again=human.jsonl:label", "-f", "csv")
    assert [line.split(",")[0] for line in both.stdout.splitlines()] == ["metric", "chrf", "again"]


def test_preferences(meta: Meta, rows: Rows, write: Write) -> None:
    pairs = [{"better": row["reference"], "worse": row["candidate"], "reference": row["reference"]} for row in rows]
    path = write("rr.jsonl", *map(json.dumps, pairs))
    found = json.loads(meta("correlate", path, "-m", "chrf", "-f", "json").stdout)
    equal = sum(pair["better"] == pair["worse"] for pair in pairs)
    cell = found["metrics"][0]["groups"]["all"]
    assert (cell["pairs"], cell["value"]) == (len(pairs), pytest.approx(1 - 2 * equal / len(pairs)))
    assert found["question"]["statistic"] == "kendall_like(threshold=1)"


def test_preferences_of_systems_whose_outputs_are_in_another_file(meta: Meta, data: str, write: Write) -> None:
    write("rr.tsv", "lp\tsegment\tbetter\tworse", "cs-en\t0\tS0\tS1", "cs-en\t0\tS1\tS2", "de-en\t1\tS2\tS0")
    found = json.loads(meta("correlate", data, "--preferences", "rr.tsv", "-m", "chrf", "-f", "json").stdout)
    cells = found["metrics"][0]["groups"]
    # S0 loses no word of segment 0, S1 three and S2 six; S0 loses one of segment 1 and S2 seven.
    assert {lp: (cells[lp]["value"], cells[lp]["pairs"]) for lp in LANGUAGES} == {"cs-en": (1, 2), "de-en": (-1, 1)}
    assert (found["question"]["average"], found["question"]["statistic"]) == ("item", "kendall_like(threshold=1)")


def test_a_folder_of_wmt_and_a_table_of_scores(meta: Meta, rows: Rows, write: Write, tmp_path: Path) -> None:
    words = rows[0]["reference"].split()
    for name in ("system-outputs/de-en", "references"):
        (tmp_path / "wmt" / name).mkdir(parents=True)
    for system in range(4):
        lines = [" ".join(words[segment : 20 - system * 2]) for segment in range(5)]
        (tmp_path / "wmt" / "system-outputs" / "de-en" / f"S{system}.txt").write_text("\n".join(lines) + "\n")
    (tmp_path / "wmt" / "references" / "de-en.refA.txt").write_text(f"{' '.join(words)}\n" * 5)
    write("da.tsv", "lp\tsystem\tscore", *(f"de-en\tS{system}\t{-system}" for system in range(4)))
    done = meta("correlate", "wmt", "--judgements", "da.tsv", "-m", "chrf,bleu", "--level", "system", "-f", "csv")
    assert float(done.stdout.splitlines()[1].split(",")[1]) > 0.9


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["none.jsonl"], "none.jsonl"),
        (["human.jsonl", "-m", "chrff"], "did you mean 'chrf'"),
        (["human.jsonl", "--statistic", "pearsn"], "did you mean 'pearson'"),
        (["human.jsonl", "--human", "fame"], "no column 'fame'"),
        (["human.jsonl", "--groups", "fi-en"], "unknown group 'fi-en'"),
        (["human.jsonl", "--average", "segment"], "invalid choice"),
        (["human.jsonl", "--matrix", "m.png"], "name a test"),
        (["human.jsonl", "--scatter", "m.gif"], "unknown kind of picture"),
        (["human.jsonl", "-o", "r.txt"], ".json"),
        (["human.jsonl", "-o", "no/r.json"], "does not exist"),
        (["human.jsonl", "-m", "chrf", "--test", "williams", "--statistic", "kendall_b"], "Williams"),
        (["human.jsonl", "-m", "chrf,chrf"], "twice"),
        (["human.jsonl", "--score-file", "x.txt"], "name=file"),
        (["human.jsonl", "--score-file", "x=missing.txt"], "missing.txt"),
        (["human.jsonl", "--score-file", "x=human.jsonl:fame"], "no column 'fame'"),
        (["human.jsonl", "--lower", "chrf"], "unknown score file"),
        (["human.jsonl", "--resamples", "0"], "at least 1"),
    ],
)
def test_every_mistake_is_one_sentence(meta: Meta, data: str, arguments: list[str], words: str) -> None:
    assert words in meta("correlate", *arguments, code=2).stderr


@pytest.mark.parametrize(
    ("scores", "words", "code"),
    [
        ([3, 3, 3, 3], "all human scores are equal", 0),
        ([1, 2], "at least three", 0),
        ([None, None, None], "no score in it", 2),
    ],
)
def test_data_that_define_nothing(meta: Meta, write: Write, scores: list[Any], words: str, code: int) -> None:
    lines = [{"candidate": f"a{n} b", "reference": f"a{n} c", "score": score} for n, score in enumerate(scores)]
    write("odd.jsonl", *map(json.dumps, lines))
    done = meta("correlate", "odd.jsonl", "-m", "chrf", code=code)
    assert words in done.stdout + done.stderr
    assert "nan" not in done.stdout.lower()
