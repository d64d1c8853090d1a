"""`farthing meta diversity` with a small static encoder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

WORDS = {
    "food": "soup bread cheese salt oven",
    "law": "court judge trial jury crime",
    "sea": "ship wave fish sail port",
}


@pytest.fixture
def corpus(write: Callable[..., str]) -> str:
    rows = [
        f"{topic}\tthe {a} and the {b} {number}"
        for topic, words in WORDS.items()
        for a in words.split()
        for b in words.split()
        for number in range(4)
    ]
    return write("corpus.tsv", "topic\tsentence", *rows)


def test_json_and_plots(run, corpus: str, dev_model: Callable[[str], Path], tmp_path: Path) -> None:
    model = str(dev_model("potion-base-8m"))
    options = ["--text", "sentence", "--label", "topic", "--encoder", model, "--size", "60", "--plots", "."]
    done = run("meta", "diversity", corpus, *options, "-m", "markevaluate,fid", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)["experiments"]
    assert [each["experiment"] for each in found] == ["collapse", "swap", "neighbours"]
    scores = {score["name"]: score for score in found[0]["scores"]}
    assert scores["schnabel_diversity"]["right"]
    assert scores["fid"]["right"]
    assert len(scores["fid"]["values"]) == len(found[0]["steps"])
    for name in ("collapse", "swap", "neighbours"):
        assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["corpus.tsv"], "unknown column of corpus.tsv 'text'"),
        (["corpus.tsv", "--header", "a"], "2 columns, but --header names 1"),
        (["corpus.tsv", "-m", "chrf"], "chrf judges pairs"),
        (["corpus.tsv", "--experiments", "colapse"], "did you mean 'collapse'"),
        (["corpus.tsv", "--format", "latex"], "invalid choice"),
        (["corpus.tsv", "--swaps", "0,2"], "not a list of at least two probabilities"),
        (["corpus.tsv", "--plots", "nowhere"], "the folder nowhere does not exist"),
        (["corpus.tsv", "--size", "3"], "at least 20"),
        (["none.tsv"], "no such file"),
    ],
)
def test_mistakes_are_one_line(run, corpus: str, arguments: list[str], message: str) -> None:
    done = run("meta", "diversity", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
