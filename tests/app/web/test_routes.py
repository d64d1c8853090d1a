"""Scoring over HTTP: the numbers of the front door, whole or row by row."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

import farthing

Post = Callable[..., Any]
PAIRS = [
    {"candidate": "the cat sat", "references": ["a cat sat down"]},
    {"candidate": "a b", "references": ["a b", "c"]},
]
CANDIDATES, REFERENCES = ["the cat sat", "a b"], [["a cat sat down"], ["a b", "c"]]


def test_score_is_that_of_the_front_door(post: Post) -> None:
    found = post("/v1/score", {"pairs": PAIRS, "metrics": ["chrf", "frugalscore(size=nano)"]})
    for result, spec in zip(found["results"], ["chrf", "frugalscore(size=nano)"], strict=True):
        assert result == farthing.score(CANDIDATES, REFERENCES, spec).to_dict()


def test_sources_take_the_place_of_references(post: Post) -> None:
    wrong = post("/v1/score", {"pairs": [{"candidate": "a", "source": "b"}, {"candidate": "a"}]}, 409)
    assert wrong["error"] == "1 of 2 pairs have a source: give one to all of them or to none"
    assert (
        "chrf needs a reference"
        in post("/v1/score", {"pairs": [{"candidate": "a", "source": "b"}], "metrics": ["chrf"]}, 409)["error"]
    )


def test_rows_are_streamed(client: TestClient) -> None:
    body = {"pairs": PAIRS * 40, "metrics": ["chrf", "distinct", "bleu"]}
    with client.stream("POST", "/v1/score", json=body, headers={"Accept": "application/x-ndjson"}) as answer:
        assert answer.headers["content-type"] == "application/x-ndjson"
        *rows, last = [json.loads(line) for line in answer.iter_lines()]
    whole = client.post("/v1/score", json=body).json()["results"]
    assert [row["row"] for row in rows] == list(range(80))
    assert [row["scores"]["chrf"] for row in rows] == whole[0]["segments"]
    assert [row["scores"]["bleu"] for row in rows] == whole[2]["segments"]
    assert [one["corpus"] for one in last["results"]] == [one["corpus"] for one in whole]
    assert "segments" not in last["results"][0]


def test_a_mistake_is_answered_by_its_status_even_if_rows_are_streamed(client: TestClient) -> None:
    body = {"pairs": [{"candidate": "a"}], "metrics": ["chrf"]}
    answer = client.post("/v1/score", json=body, headers={"Accept": "application/x-ndjson"})
    assert answer.status_code == 409
    assert "chrf needs a reference" in answer.json()["error"]


@pytest.mark.parametrize("test", ["none", "bootstrap", "randomization"])
def test_compare_is_that_of_the_front_door(post: Post, test: Any) -> None:
    systems = {"a": ["the cat", "a dog", "it rains"], "b": ["cat", "a cat", "it rained"]}
    references = [["the cat"], ["the dog"], ["it rained"]]
    found = post("/v1/compare", {"systems": systems, "references": references, "metrics": ["chrf"], "test": test})
    if test == "none":
        assert [one["corpus"] for one in found["results"]] == [
            farthing.score(texts, references, "chrf").corpus for texts in systems.values()
        ]
    else:
        assert found == json.loads(json.dumps(farthing.compare(systems, references, "chrf", test=test).to_dict()))


def test_progress_is_told_by_events(client: TestClient) -> None:
    body = {"systems": {"a": ["the cat sat on the mat"] * 300}, "references": [["a cat"]] * 300, "metrics": ["chrf"]}
    answer = client.post("/v1/compare", json=body, headers={"Accept": "text/event-stream"})
    events = [part.split("\n") for part in answer.text.strip().split("\n\n")]
    done = [json.loads(data[6:])["done"] for event, data in events if event == "event: progress"]
    assert done == sorted(done)
    assert len(done) > 1
    assert done[-1] == 300
    assert events[-1][0] == "event: result"
    assert json.loads(events[-1][1][6:]) == client.post("/v1/compare", json=body).json()


def test_a_report_is_a_page(client: TestClient) -> None:
    systems = {"a": ["the cat", "<script>alert(1)</script>"], "b": ["cat", "dog"]}
    body = {"systems": systems, "references": [["a cat"], ["a dog"]], "metrics": ["chrf", "rouge"], "test": "bootstrap"}
    answer = client.post("/v1/report", json=body)
    assert answer.headers["content-type"].startswith("text/html")
    assert "<script>alert(1)" not in answer.text
    assert "chrf" in answer.text
