"""Metrics that are loaded once: names, numbers, sets beside pairs."""

from __future__ import annotations

import pytest

import farthing
from farthing.core.types import Pairs
from farthing.integrations.loaded import LoadedMetrics, joined_pairs

TEXTS = (
    ["the cat sat", "a dog ran", "it rains", "birds fly", "winter"],
    ["a cat sat", "the dog", "rain", "birds", "ice"],
)


def test_numbers_are_those_of_score() -> None:
    specs = ["chrf", "chrf(word_order=2)", "bleu"]
    expected = [farthing.score(*TEXTS, metric=spec).corpus for spec in specs]
    found = LoadedMetrics(specs).numbers(Pairs.of(*TEXTS))
    assert found == pytest.approx(dict(zip(specs, expected, strict=True)))


def test_metrics_of_sets_stand_beside_those_of_pairs() -> None:
    found = LoadedMetrics("impar(model=nano),chrf").numbers(Pairs.of(*TEXTS))
    assert found["impar"] == farthing.score(*TEXTS, metric="impar(model=nano)").corpus
    assert found["chrf"] == farthing.score(*TEXTS, metric="chrf").corpus


def test_batches_are_joined_in_order() -> None:
    batches = [Pairs.of(["a"], ["b"], ["s"]), Pairs.of(["c", "d"], [["e", "f"], "g"], ["t", "u"])]
    assert joined_pairs(batches) == Pairs(["a", "c", "d"], [["b"], ["e", "f"], ["g"]], ["s", "t", "u"])


def test_sources_are_for_all_batches_or_none() -> None:
    with pytest.raises(farthing.UsageError, match="2 candidates but 1 sources"):
        joined_pairs([Pairs.of(["a"], ["b"], ["s"]), Pairs.of(["c"], ["d"])])


def test_loaded_metrics_and_specs_may_be_mixed() -> None:
    metrics = [farthing.load("chrf", word_order=2), "ter,bleu"]
    assert list(LoadedMetrics(metrics).numbers(Pairs.of(*TEXTS))) == ["chrf", "ter", "bleu"]
