"""`farthing meta select`: against a choice among hybrids that are all drawn."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sacrebleu

from farthing.meta.hybrids import Picks

Meta = Callable[..., Any]
Rows = list[dict[str, Any]]
SMALL = ["--hybrids", "200", "--draws", "300", "--drawn", "10"]


def test_the_choice_among_all_hybrids_is_the_metrics_best(meta: Meta, data: str, rows: Rows) -> None:
    options = ["-m", "chrf", "--hybrids", "25", "--draws", "4", "--drawn", "25", "--seed", "2", "-f", "json"]
    found = json.loads(meta("select", data, *options, "--human", "scores.fluency").stdout)
    assert (found["kind"], found["settings"]["drawn"]) == ("meta-select", 25)
    for lp in ("cs-en", "de-en"):
        systems = [[row for row in rows if (row["lp"], row["system"]) == (lp, f"S{n}")] for n in range(3)]
        [picks] = Picks(np.ones((3, 6), dtype=bool), 25, 2).blocks()
        hybrids = [[systems[system][item] for item, system in enumerate(picked)] for picked in picks]
        human = np.array([np.mean([row["scores"]["fluency"] for row in one]) for one in hybrids])
        chrf = [
            sacrebleu.corpus_chrf([row["candidate"] for row in one], [[row["reference"] for row in one]]).score
            for one in hybrids
        ]
        chosen = human[int(np.argmax(chrf))]
        rank = 1 + int(np.sum(human > chosen + 1e-9))
        cell = found["metrics"][0]["groups"][lp]
        assert cell["hits"] == {"value": float(rank == 1), "margin": 0}
        assert cell["reciprocal_rank"]["value"] == pytest.approx(1 / rank)
        assert cell["difference"]["value"] == pytest.approx(human.max() - chosen)


def test_a_metric_that_says_what_people_say_always_hits(meta: Meta, data: str, rows: Rows, write: Any) -> None:
    write("same.txt", *(str(row["scores"]["fluency"]) for row in rows))
    write("wrong.txt", *(str(row["scores"]["fluency"]) for row in rows))
    files = ["--score-file", "same=same.txt", "--score-file", "wrong=wrong.txt", "--lower", "wrong"]
    done = meta("select", data, *files, "--human", "scores.fluency", *SMALL, "-f", "json")
    same, wrong = (metric["groups"]["cs-en"] for metric in json.loads(done.stdout)["metrics"])
    assert [same[key]["value"] for key in ("hits", "reciprocal_rank", "difference")] == [1, 1, 0]
    assert wrong["hits"]["value"] < 0.1
    assert wrong["difference"]["value"] > 0


def test_three_tables_and_what_was_drawn(meta: Meta, data: str) -> None:
    results = json.loads(meta("select", data, "-m", "chrf,bleu", *SMALL, "-f", "json").stdout)
    assert 0 < results["metrics"][0]["groups"]["cs-en"]["hits"]["value"] <= 1
    shown = meta("select", data, "-m", "chrf,bleu", *SMALL).stdout
    assert all(name in shown for name in ("Hits@1", "mean reciprocal rank", "lost human score"))
    assert "300 draws of 10 out of 200 hybrid systems, seed 0; human scores 'score'." in shown
    tables = meta("select", data, "-m", "chrf,bleu", *SMALL, "-f", "csv").stdout.split("\n\n")
    hits, ranks, lost = (float(table.splitlines()[1].split(",")[1]) for table in tables)
    cell = results["metrics"][0]["groups"]["cs-en"]
    assert [hits, ranks, lost] == [cell[key]["value"] for key in ("hits", "reciprocal_rank", "difference")]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["human.jsonl", "--hybrids", "50", "--drawn", "60"], "cannot draw 60 of 50"),
        (["human.jsonl", "--drawn", "1"], "--drawn 1 must be at least 2"),
        (["human.jsonl", "--draws", "0"], "--draws 0 must be at least 1"),
        (["human.jsonl", "-m", "chrff"], "did you mean 'chrf'"),
        (["human.jsonl", "-o", "r.txt"], "written as .json"),
        (["equal.jsonl", "-m", "chrf", *SMALL], "all: all hybrids have the same human score, so none is the best"),
    ],
)
def test_every_mistake_is_one_sentence(
    meta: Meta, data: str, write: Callable[..., str], arguments: list[str], words: str
) -> None:
    lines = [{"system": s, "candidate": f"{s} a", "reference": r, "score": 1} for s in "AB" for r in ("a b", "a c")]
    write("equal.jsonl", *map(json.dumps, lines))
    assert words in meta("select", *arguments, code=2).stderr
