"""Resampling whole documents, against a loop that draws documents and scores their texts."""

from __future__ import annotations

import numpy as np
import pytest
import sacrebleu

import farthing
from farthing.core.errors import UsageError
from farthing.core.types import Pairs
from farthing.files.inputs import Given
from farthing.scoring.documents import document_numbers, numbered
from farthing.scoring.resampling import Resampled, interval, pair_significance

WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "under", "big", "red", "house", "today"]


def texts(seed: int, count: int = 40) -> list[str]:
    random = np.random.default_rng(seed)
    return [" ".join(random.choice(WORDS, random.integers(4, 9))) for _ in range(count)]


REFERENCES = texts(0)
IDS = [f"doc{number}" for number in np.random.default_rng(9).integers(7, size=40)]
NUMBERS = numbered(IDS)


def drawn_documents(samples: int, seed: int) -> list[list[int]]:
    """The rows of every bootstrap sample, drawn document by document."""
    names = sorted(set(IDS))
    random = np.random.default_rng(seed)
    draws = random.integers(len(names), size=(samples, len(names)))
    return [[row for place in draw for row in range(40) if IDS[row] == names[place]] for draw in draws]


def test_corpus_metrics_agree_with_a_direct_loop() -> None:
    system = texts(1)
    metric = farthing.load("bleu")
    scores = metric.score(Pairs.of(system, REFERENCES))  # type: ignore[union-attr]
    found = Resampled(metric, scores, NUMBERS).bootstrap(30, seed=5)
    for score, rows in zip(found, drawn_documents(30, 5), strict=True):
        expected = sacrebleu.corpus_bleu([system[row] for row in rows], [[REFERENCES[row] for row in rows]]).score
        assert score == pytest.approx(expected, abs=1e-9)


def test_means_agree_with_a_direct_loop() -> None:
    metric = farthing.load("frugalscore(size=nano)")
    scores = metric.score(Pairs.of(texts(1), REFERENCES))  # type: ignore[union-attr]
    assert scores.segments is not None
    found = Resampled(metric, scores, NUMBERS).bootstrap(30, seed=5)
    expected = [float(np.mean(scores.segments[rows])) for rows in drawn_documents(30, 5)]
    assert found == pytest.approx(expected)
    limits = interval(metric, scores, documents=NUMBERS)
    assert limits.low < scores.corpus < limits.high


def test_randomization_swaps_whole_documents() -> None:
    """With two documents there are four ways to swap, two of them as extreme as what is seen."""
    metric = farthing.load("frugalscore(size=nano)")
    first, second = (metric.score(Pairs.of(texts(seed, 6), REFERENCES[:6])) for seed in (1, 2))  # type: ignore[union-attr]
    halves = np.array([0, 0, 0, 1, 1, 1])
    found = pair_significance(
        Resampled(metric, first, halves), Resampled(metric, second, halves), "randomization", 4000
    )  # fmt: skip
    differences = np.array([np.sum((second.segments - first.segments)[halves == half]) for half in (0, 1)])
    seen = [abs(np.dot(signs, differences)) for signs in ([1, 1], [1, -1], [-1, 1], [-1, -1])]
    expected = np.mean([one >= abs(differences.sum()) - 1e-9 for one in seen])
    assert found.p_value == pytest.approx(expected, abs=0.03)


def test_dependent_segments_widen_the_interval() -> None:
    """Ten copies of each segment in one document: the interval by documents ignores the copies."""
    system, references = texts(1, 30), texts(0, 30)
    once = farthing.compare({"a": system, "b": references[::-1]}, references, metrics="chrf")
    copies = {"a": system * 10, "b": references[::-1] * 10}
    ids = [str(row) for row in range(30)] * 10
    by_documents = farthing.compare(copies, references * 10, metrics="chrf", documents=ids)
    by_segments = farthing.compare(copies, references * 10, metrics="chrf")

    def width(found: farthing.Comparison) -> float:
        limits = found.rows[0].cells[0].interval
        assert limits is not None
        return limits.high - limits.low

    assert width(by_documents) == pytest.approx(width(once), rel=0.2)
    assert width(by_segments) == pytest.approx(width(once) / np.sqrt(10), rel=0.2)
    assert "Whole documents were resampled, 30 of them." in str(by_documents)
    assert by_documents.to_dict()["findings"]["documents"] == 30  # type: ignore[index]
    assert "documents" not in by_segments.to_dict()["findings"]  # type: ignore[operator]


def test_ids_become_numbers() -> None:
    pairs = Pairs(["a", "b", "c"], [["a"], ["b"], ["c"]], documents=["x", "y", "x"])
    found = document_numbers(Given([pairs]))
    assert found is not None
    assert found.tolist() == [0, 1, 0]
    assert document_numbers(Given([Pairs.of(["a"], ["a"])])) is None
    assert numbered(["same", "same"]) is None
    assert numbered(None) is None


def test_wrong_number_of_ids() -> None:
    with pytest.raises(UsageError, match="2 candidates but 1 documents"):
        farthing.compare({"a": ["x", "y"], "b": ["x", "z"]}, ["x", "y"], metrics="chrf", documents=["d"])
