"""What stands beside the table: said once per metric, and the same as plain values."""

from __future__ import annotations

import json

import numpy as np
import pytest

import farthing
from farthing.scoring.findings import Findings

WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "under", "big", "red", "house", "today"]


def texts(seed: int) -> list[str]:
    random = np.random.default_rng(seed)
    return [" ".join(random.choice(WORDS, 6)) for _ in range(60)]


REFERENCES = texts(0)
SYSTEMS = {"a": texts(1), "b": texts(2), "good": [text.replace("the", "a") for text in REFERENCES]}


@pytest.fixture(scope="module")
def found() -> farthing.Comparison:
    return farthing.compare(SYSTEMS, REFERENCES, metrics="chrf,ter")


def test_three_systems_are_ranked(found: farthing.Comparison) -> None:
    lines = str(found).splitlines()
    assert "Ranks over all 3 pairs (p < 0.05 after Holm's correction; | separates clusters):" in lines
    [chrf] = [line for line in lines if line.startswith("  chrf: ")]
    assert chrf.startswith("  chrf: 1 good | 2-3 ")
    assert sum(line.startswith("When translation systems differed by as much, people preferred") for line in lines) == 1
    [power] = [line for line in lines if line.startswith("Segments needed to find a difference of 1")]
    assert "these 60 find" in power


def test_two_systems_or_a_named_baseline_are_not_ranked() -> None:
    two = {name: SYSTEMS[name] for name in ("a", "b")}
    assert "Ranks over" not in str(farthing.compare(two, REFERENCES, metrics="chrf"))
    assert "Ranks over" in str(farthing.compare(two, REFERENCES, metrics="chrf", all_pairs=True))
    named = farthing.compare(SYSTEMS, REFERENCES, metrics="chrf", baseline="b")
    assert "Ranks over" not in str(named)


def test_plain_values_say_the_same(found: farthing.Comparison) -> None:
    document = json.loads(found.printed("json"))["findings"]
    assert "documents" not in document
    chrf, ter = document["metrics"]
    assert (chrf["metric"], ter["metric"]) == ("chrf", "ter")
    assert chrf["ranks"][0] == {"system": "good", "rank": [1, 1], "cluster": 1}
    assert len(chrf["pairs"]) == 3
    assert all(one["p_value"] <= one["p_holm"] for one in chrf["pairs"])
    assert ter["ranks"][0]["system"] == "good"  # lower is better
    assert all(one["difference"] <= 0 for one in ter["pairs"])
    assert set(chrf["agreement"]) == {"good"}  # a difference that chance makes is not looked up
    assert chrf["power"]["size"] == 60
    assert chrf["power"]["needed"] > 60


def test_metrics_that_contradict_each_other_are_named() -> None:
    """Doubling every text finds all characters of the reference (chrF's recall), but needs many edits (TER)."""
    shuffled = [" ".join(reversed(text.split())) for text in REFERENCES]
    systems = {"base": [text[:20] for text in REFERENCES], "long": [f"{text} {text}" for text in REFERENCES]}
    found = farthing.compare({**systems, "shuffled": shuffled}, REFERENCES, metrics="chrf(beta=9),ter", baseline="base")
    assert "The metrics contradict each other about long" in str(found)
    assert found.findings is not None
    assert "long" in found.findings.disputed
    assert all("long" not in one.agreements for one in found.findings.metrics)
    assert json.loads(found.printed("json"))["findings"]["disputed"] == list(found.findings.disputed)


def test_too_few_resamples_are_named() -> None:
    few = farthing.compare(SYSTEMS, REFERENCES, metrics="chrf", resamples=20)
    assert "20 resamples are too few for so many tests: pass --resamples 60" in str(few)


def test_sets_say_what_is_tested() -> None:
    random = np.random.default_rng(0)
    corpus = random.standard_normal((80, 3))
    systems = {"a": random.standard_normal((70, 3)), "far": 3 + random.standard_normal((60, 3))}
    found = farthing.compare(systems, corpus, metrics="impar(k=1),fid")  # type: ignore[arg-type]
    assert isinstance(found.findings, Findings)
    text = str(found)
    assert "Bootstrap of the sets and their corpus against a (samples: impar 1000, fid 100; seed 12345)" in text
    assert "Paired" not in text
    assert "Segments needed" not in text
    paired = found.rows[1].cells[1].paired
    assert paired is not None
    assert paired.p_value < 0.05
    more = farthing.compare(systems, corpus, metrics="fid", resamples=40)  # type: ignore[arg-type]
    assert "samples: fid 40" in str(more)
