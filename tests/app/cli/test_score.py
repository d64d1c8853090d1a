"""`farthing score` and `farthing compare` on good input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet
import pytest
import sacrebleu

import farthing

CANDIDATES = ["the cat sat on the mat", "hello world", "five green apples"]
OTHERS = ["a cat sat", "hello", "five apples are green"]
REFERENCES = ["the cat sat on a mat", "hello big world", "five green apples"]


@pytest.fixture
def files(write: Callable[..., str]) -> tuple[str, str, str]:
    return write("a.txt", *CANDIDATES), write("b.txt", *OTHERS), write("r.txt", *REFERENCES)


def test_json_document(run, files) -> None:
    done = run("score", "a.txt", "b.txt", "-r", "r.txt", "-m", "bleu,chrf(word_order=2)", "--format", "json", "--ci")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert document["farthing"] == farthing.__version__
    results = document["results"]
    assert [(r["system"], r["metric"]) for r in results] == [
        ("a.txt", "bleu"),
        ("a.txt", "chrf"),
        ("b.txt", "bleu"),
        ("b.txt", "chrf"),
    ]
    expected = sacrebleu.corpus_bleu(CANDIDATES, [REFERENCES]).score
    assert results[0]["corpus"] == pytest.approx(expected, abs=1e-9)
    low, high = results[0]["ci"]
    assert low <= results[0]["corpus"] <= high
    assert len(results[0]["segments"]) == 3
    assert results[0]["notes"] == []
    assert "nw:2" in results[1]["signature"]


def test_table_has_arrows_and_signatures(run, files) -> None:
    done = run("score", "a.txt", "-r", "r.txt", "-m", "bleu,ter")
    assert "bleu ↑" in done.stdout
    assert "ter ↓" in done.stdout
    assert "bleu|nrefs:1|case:mixed" in done.stdout
    assert "\x1b" not in done.stdout  # no colours into a file


def test_csv_and_latex(run, files) -> None:
    done = run("score", "a.txt", "-r", "r.txt", "-m", "chrf", "--format", "csv")
    header, row = done.stdout.strip().split("\n")
    assert header.startswith("system,metric,corpus")
    assert row.startswith("a.txt,chrf,")
    done = run("compare", "a.txt", "b.txt", "-r", "r.txt", "-m", "chrf", "--format", "latex", "--names", "x_1,y")
    assert r"\textbf{" in done.stdout
    assert r"x\_1 (baseline)" in done.stdout


@pytest.mark.parametrize("suffix", ["parquet", "jsonl", "csv"])
def test_output_has_a_row_a_segment(run, files, tmp_path: Path, suffix: str) -> None:
    name = f"out.{suffix}"
    done = run("score", "a.txt", "b.txt", "-r", "r.txt", "-m", "chrf,bleu", "-o", name)
    assert done.returncode == 0, done.stderr
    from farthing.files.read import records

    rows = [record for _, record in records(str(tmp_path / name))]
    assert [(row["system"], int(row["row"])) for row in rows] == [(s, i) for s in ("a.txt", "b.txt") for i in (1, 2, 3)]
    expected = [sacrebleu.sentence_chrf(c, [r]).score for c, r in zip(CANDIDATES, REFERENCES, strict=True)]
    assert [float(row["chrf"]) for row in rows[:3]] == pytest.approx(expected)


def test_one_metric_twice_with_other_options(run, files, tmp_path: Path) -> None:
    run("score", "a.txt", "-r", "r.txt", "-m", "chrf,chrf(word_order=2)", "-o", "out.parquet")
    names = pyarrow.parquet.read_table(tmp_path / "out.parquet").column_names
    assert len(names) == len(set(names)) == 4


def test_table_files_and_standard_input(run, write) -> None:
    rows = [json.dumps({"mt": c, "ref": r}) for c, r in zip(CANDIDATES, REFERENCES, strict=True)]
    write("data.jsonl", *rows)
    write("r.txt", *REFERENCES)
    document = run("score", "data.jsonl", "-m", "chrf", "--format", "json").stdout
    piped = run("score", "-", "-m", "chrf", "--format", "json", "--stdin-format", "jsonl", input="\n".join(rows) + "\n")
    lines = run("score", "-", "-r", "r.txt", "-m", "chrf", "--format", "json", input="\n".join(CANDIDATES) + "\n")
    scores = [json.loads(text)["results"][0]["corpus"] for text in (document, piped.stdout, lines.stdout)]
    assert scores == pytest.approx([sacrebleu.corpus_chrf(CANDIDATES, [REFERENCES]).score] * 3)


def test_several_references_and_sources(run, files, write) -> None:
    write("r2.txt", *OTHERS)
    write("s.txt", *OTHERS)
    done = run("score", "a.txt", "-r", "r.txt", "-r", "r2.txt", "-s", "s.txt", "-m", "bleu", "--format", "json")
    assert json.loads(done.stdout)["results"][0]["corpus"] == pytest.approx(
        sacrebleu.corpus_bleu(CANDIDATES, [REFERENCES, OTHERS]).score
    )


def test_compare_marks_what_is_not_significant(run, files) -> None:
    done = run(
        "compare", "a.txt", "b.txt", "-r", "r.txt", "-m", "chrf", "--baseline", "b.txt", "--test", "randomization"
    )
    assert "b.txt (baseline)" in done.stdout
    assert "≈p=" in done.stdout  # three segments cannot show a difference
    document = json.loads(run("compare", "a.txt", "b.txt", "-r", "r.txt", "-m", "chrf", "--format", "json").stdout)
    assert document["test"] == {"name": "bootstrap", "baseline": "a.txt", "resamples": 1000, "seed": 12345}
    assert "p_value" not in document["results"][0]
    assert 0 < document["results"][1]["p_value"] <= 1


def test_metrics_lists_and_describes(run) -> None:
    listing = run("metrics").stdout
    assert all(name in listing for name in ("bleu", "chrf", "ter", "rouge"))
    assert "word_order" in run("metrics", "chrf").stdout


def test_help_version_and_nothing(run) -> None:
    assert "score" in run("--help").stdout
    assert "score" in run().stdout
    assert run("--version").stdout.strip() == f"farthing {farthing.__version__}"
    assert "--ci" in run("score", "--help").stdout


def test_closed_pipe_is_quiet(files, run, tmp_path: Path) -> None:
    import subprocess
    import sys

    command = (
        f"'{sys.executable}' -c 'from farthing.app.cli.main import main; main()' score a.txt -r r.txt -m chrf | true"
    )
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr == ""
