"""`farthing meta disagree`: against ranks that are computed by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

Meta = Callable[..., Any]
Rows = list[dict[str, Any]]


def test_the_output_that_people_like_best_and_a_metric_least(meta: Meta, data: str, rows: Rows, write: Any) -> None:
    write("wrong.txt", *(str(-row["scores"]["fluency"]) for row in rows))
    options = ["--score-file", "wrong=wrong.txt", "--human", "scores.fluency", "--top", "1", "-f", "json"]
    found = json.loads(meta("disagree", data, *options).stdout)
    assert (found["kind"], found["judges"]) == ("meta-disagree", ["people", "wrong"])
    first, second = found["disagreements"]
    assert (first["higher"], first["lower"]) == ("people", "wrong")
    [output] = first["outputs"]
    same = [row["scores"]["fluency"] for row in rows if row["lp"] == output["group"]]
    place = output["line"] - 1
    assert rows[place]["candidate"] == output["candidate"]
    assert output["ranks"]["people"] == 1 + sum(value > rows[place]["scores"]["fluency"] for value in same)
    assert output["ranks"]["wrong"] == 1 + sum(value < rows[place]["scores"]["fluency"] for value in same)
    assert second["higher"] == "wrong"


def test_the_texts_stand_below_the_ranks(meta: Meta, data: str, rows: Rows) -> None:
    printed = meta("disagree", data, "-m", "bleu,chrf", "--between", "bleu,chrf", "--top", "2").stdout
    assert printed.splitlines()[0].split() == ["bleu", ">", "chrf", "bleu", "chrf"]  # people are not asked
    assert "candidate: " in printed
    assert "reference: " in printed


def test_a_name_that_is_no_judge_is_a_sentence(meta: Meta, data: str) -> None:
    done = meta("disagree", data, "-m", "bleu", "--between", "bleu,chrf", code=2)
    assert "judge" in done.stderr
