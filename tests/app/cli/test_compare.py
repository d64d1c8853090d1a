"""`farthing compare`: paired tests from the shell."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import farthing

CANDIDATES = ["the cat sat on the mat", "hello world", "five green apples"]
OTHERS = ["a cat sat", "hello", "five apples are green"]
REFERENCES = ["the cat sat on a mat", "hello big world", "five green apples"]


@pytest.fixture
def files(write: Callable[..., str]) -> tuple[str, str, str]:
    return write("a.txt", *CANDIDATES), write("b.txt", *OTHERS), write("r.txt", *REFERENCES)


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


def test_a_compared_run_is_kept(run, files, tmp_path: Path) -> None:
    done = run("compare", "a.txt", "b.txt", "-r", "r.txt", "-m", "bleu", "-o", "run/", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    [first, second] = json.loads(done.stdout)["results"]
    kept = farthing.read_run(tmp_path / "run")
    assert kept.results()["test"] == {"name": "bootstrap", "baseline": "a.txt", "resamples": 1000, "seed": 12345}
    for result in (first, second):
        scores = kept.scores("bleu", result["system"])
        assert scores.corpus == result["corpus"]
        assert scores.statistics is not None


def test_one_system_is_not_compared(run, files) -> None:
    done = run("compare", "a.txt", "-r", "r.txt", "-m", "chrf")
    assert done.returncode == 2
    assert "at least two systems" in done.stderr


def test_documents_are_resampled_whole(run, write: Callable[..., str]) -> None:
    rows = [f"{row // 2},{c},{r}" for row, (c, r) in enumerate(zip(CANDIDATES * 4, REFERENCES * 4, strict=True))]
    write("a.csv", "doc,mt,ref", *rows)
    write("b.csv", "doc,mt,ref", *(row.replace("the cat", "one dog") for row in rows))
    by_column = run("compare", "a.csv", "b.csv", "-m", "chrf")
    assert (by_column.returncode, by_column.stderr) == (0, "")
    assert "Whole documents were resampled, 6 of them; tests of so few say little." in by_column.stdout
    assert "Documents needed to find a difference of 1" in by_column.stdout
    assert "Whole documents" not in run("compare", "a.csv", "b.csv", "-m", "chrf", "--documents", "none").stdout
    write("a.txt", *CANDIDATES * 4)
    write("b.txt", *OTHERS * 4)
    write("r.txt", *REFERENCES * 4)
    write("d.txt", *(str(row // 4) for row in range(12)))
    by_file = run("compare", "a.txt", "b.txt", "-r", "r.txt", "-m", "chrf", "--documents", "d.txt")
    assert "Whole documents were resampled, 3 of them;" in by_file.stdout
    write("d.txt", "1", "2")
    short = run("compare", "a.txt", "b.txt", "-r", "r.txt", "-m", "chrf", "--documents", "d.txt")
    assert short.returncode == 2
    assert "line counts differ: a.txt has 12, d.txt has 2" in short.stderr
    unknown = run("compare", "a.csv", "b.csv", "-m", "chrf", "--documents", "talk")
    assert unknown.returncode == 2
    assert "no column 'talk'" in unknown.stderr


def test_all_pairs_are_ranked(run, files, write: Callable[..., str]) -> None:
    write("c.txt", *REFERENCES)
    three = ("a.txt", "b.txt", "c.txt", "-r", "r.txt", "-m", "chrf")
    assert "Ranks over all 3 pairs" in run("compare", *three).stdout
    assert "Ranks over" not in run("compare", *three, "--baseline", "c.txt").stdout
    assert "Ranks over all 3 pairs" in run("compare", *three, "--baseline", "c.txt", "--all-pairs").stdout
    assert "Ranks over all 1 pairs" not in run("compare", *three[:2], *three[3:]).stdout


def test_a_worse_system_stops_the_pipeline(run, write: Callable[..., str]) -> None:
    write("old.txt", *REFERENCES * 8)
    write("r.txt", *REFERENCES * 8)
    write("new.txt", *OTHERS * 8)
    assert run("score", "old.txt", "-r", "r.txt", "-m", "chrf,ter", "-o", "main/").returncode == 0
    done = run("compare", "new.txt", "--against", "main/", "--fail-if-worse")
    assert done.returncode == 3
    assert done.stderr.startswith("farthing: new.txt is worse than main/old.txt: chrf ")
    assert done.stderr.count("\n") == 1
    assert "main/old.txt (baseline)" in done.stdout
    assert run("compare", "new.txt", "--against", "main/").returncode == 0  # only told
    assert run("compare", "old.txt", "--against", "main/", "--fail-if-worse").returncode == 0
    both = run("compare", "old.txt", "new.txt", "-r", "r.txt", "-m", "ter", "--fail-if-worse")
    assert both.returncode == 3
    assert "new.txt is worse than old.txt: ter " in both.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.txt", "--against", "none/"], "none: is not a run"),
        (["a.txt", "--against", "main/", "-m", "bleu"], "unknown metric of main 'bleu'"),
        (["a.txt", "--against", "main/", "-r", "b.txt"], "the references differ from those of main in row 1"),
        (["a.txt", "--against", "main/", "--baseline", "x"], "unknown system of main 'x'"),
        (["a.txt", "--against", "main/", "-o", "x.csv"], "--against compares and keeps nothing"),
        (["short.txt", "--against", "main/"], "short.txt has 1 outputs, but main has 3 segments"),
    ],
)
def test_mistakes_with_a_stored_run(run, files, write: Callable[..., str], arguments: list[str], message: str) -> None:
    write("short.txt", "one")
    run("score", "a.txt", "-r", "r.txt", "-m", "chrf", "-o", "main/")
    done = run("compare", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
