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
