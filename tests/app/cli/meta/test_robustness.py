"""`farthing meta robustness`: against sacrebleu's scores of the damaged texts, and scipy's count of pairs."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sacrebleu
from scipy import stats

Meta = Callable[..., Any]
Write = Callable[..., str]
Rows = list[dict[str, Any]]


def chrf(text: str, reference: str) -> float:
    return sacrebleu.sentence_chrf(text, [reference]).score


def test_areas_equal_the_test_of_mann_and_whitney(meta: Meta, data: str, rows: Rows) -> None:
    found = json.loads(meta("robustness", data, "-m", "chrf,ter", "--labels", "label", "-f", "json").stdout)
    assert (found["kind"], found["human"], found["groups"]) == ("meta-paraphrases", "label", ["cs-en", "de-en"])
    assert found["metrics"][0]["groups"]["pooled"]["value"] > 0.9
    ter = [-sacrebleu.sentence_ter(row["candidate"], [row["reference"]]).score for row in rows]
    scores = {"chrf": [chrf(row["candidate"], row["reference"]) for row in rows], "ter": ter}
    for metric in found["metrics"]:
        for lp, area in metric["groups"].items():
            own = [lp in (row["lp"], "pooled") for row in rows]
            values = np.round(np.array(scores[metric["name"]])[own], 9)
            labels = np.array([row["label"] for row in rows])[own]
            count = stats.mannwhitneyu(values[labels == 1], values[labels == 0]).statistic
            assert area["value"] == pytest.approx(count / (labels.sum() * (1 - labels).sum()), abs=1e-9)
            assert (area["positives"], area["negatives"]) == (labels.sum(), (1 - labels).sum())


def test_labels_serve_score_files_too(meta: Meta, data: str, rows: Rows, write: Write) -> None:
    write("mine.txt", *(str(1 - row["label"]) for row in rows))
    files = ["--score-file", "mine=mine.txt", "--lower", "mine"]
    shown = meta("robustness", data, *files, "--labels", "label", "-f", "csv").stdout
    assert shown.splitlines() == ["metric,cs-en,de-en,mean,pooled", "mine,1.0,1.0,1.0,1.0"]


@pytest.mark.parametrize("good", ["identical", "reference"])
def test_the_rate_is_that_of_the_damaged_texts(meta: Meta, write: Write, good: str) -> None:
    references = [
        ["He sold 30 big cars in Paris.", "In Paris he sold 30 large cars."],
        ["She was never late for 2 trains.", "She never missed 2 trains."],
        ["All 7 small dogs slept well.", "The 7 little dogs slept very well."],
    ]
    write("few.jsonl", *(json.dumps({"candidate": "x", "references": texts}) for texts in references))
    options = ["-m", "chrf", "--good", good, "--changes", "number,drop", "--seed", "5", "-f", "json"]
    found = json.loads(meta("robustness", "few.jsonl", *options).stdout)
    assert found["settings"] == {"good": good, "seed": 5}
    assert [check["name"] for check in found["checks"]] == ["number", "drop"]
    for check in found["checks"]:
        texts = check["examples"]
        assert (check["texts"], len(texts)) == (3, 3)
        own = [place for place, text in enumerate(texts) if text["reference"] == references[place][0]]
        assert own == [0, 1, 2]
        assert [text["good"] for text in texts] == [both[good == "reference"] for both in references]
        assert all(text["bad"] != text["good"] for text in texts)
        signs = [np.sign(chrf(t["good"], t["reference"]) - chrf(t["bad"], t["reference"])) for t in texts]
        rate = found["metrics"][0]["checks"][check["name"]]["rate"]
        assert rate == pytest.approx(np.mean([(sign + 1) / 2 for sign in signs]))


def test_the_table_of_changes(meta: Meta, data: str) -> None:
    options = ["--changes", "number,antonym,word order", "--good", "identical"]
    shown = meta("robustness", data, "-m", "chrf", *options).stdout
    assert shown.splitlines()[2].split() == ["chrf", "1.000", "1.000", "1.000"]
    assert "texts (seed 0): number 12, antonym 12, word order 12." in shown  # each reference once, not once per system


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["human.jsonl", "--changes", "colour"], "unknown change 'colour'"),
        (["human.jsonl", "--labels", "score"], "labels must be"),
        (["human.jsonl", "--labels", "fame"], "no column 'fame'"),
        (["human.jsonl", "--score-file", "x=x.txt"], "score files cannot score damaged texts"),
        (["human.jsonl", "--good", "best"], "invalid choice"),
        (["human.jsonl", "-m", "fid"], "fid judges a set"),
        (["bare.jsonl", "-m", "chrf"], "there are no references to make checks from; name them with --reference"),
    ],
)
def test_every_mistake_is_one_sentence(meta: Meta, data: str, write: Write, arguments: list[str], words: str) -> None:
    write("bare.jsonl", '{"candidate": "a b", "label": 1}')
    assert words in meta("robustness", *arguments, code=2).stderr
