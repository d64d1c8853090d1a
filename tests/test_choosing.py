"""Choosing through the public door."""

from __future__ import annotations

import pytest

import farthing

LISTS = [["the cat sat", "a cat sat", "dogs"], ["a b", "a c"]]


def test_mbr_takes_a_spec_or_a_metric() -> None:
    by_spec, by_metric = (farthing.mbr(LISTS, metric=metric) for metric in ("chrf", farthing.load("chrf")))
    assert isinstance(by_spec, farthing.Choices)
    assert by_spec.texts == by_metric.texts == ["the cat sat", "a b"]
    assert by_spec.scores.tolist() == by_metric.scores.tolist()
    assert by_spec.signature.metric == "chrf"


def test_the_default_metric_chooses() -> None:
    assert farthing.mbr(LISTS).texts[0] != "dogs"


def test_weights_are_those_of_the_pseudo_references() -> None:
    own = farthing.mbr([["a cat", "the cat sat", "dogs"]], metric="chrf", weights=[[1, 1, 9]])
    assert own.texts == ["dogs"]
    other = farthing.mbr([["a cat", "dogs"]], [["a cat", "dog", "x"]], "chrf", weights=[[1, 5, 0]])
    assert other.texts == ["dogs"]


def test_rerank_by_references() -> None:
    found = farthing.rerank(LISTS, [["a dog", "dogs"], "a c"], "chrf", top=2)
    assert found.texts == ["dogs", "a c"]
    assert len(found[0].texts) == 2


def test_normalised_texts_are_compared_and_original_ones_chosen() -> None:
    found = farthing.mbr([["DOGS BARK", "dogs bark", "a cat"]], metric="chrf(normalise=lower)", top=3)
    assert found[0].texts[0] == "DOGS BARK"
    assert found[0].scores[0] == pytest.approx(found[0].scores[1])
    assert "normalise:lower" in str(found.signature)
    oracle = farthing.rerank([["a cat", "DOGS"]], ["dogs"], "chrf(normalise=lower)")
    assert (oracle.texts, oracle.scores.tolist()) == (["DOGS"], pytest.approx([100]))
    assert "normalise:lower" in str(oracle.signature)


def test_mistakes_get_a_sentence() -> None:
    with pytest.raises(farthing.UsageError, match="one list of texts per segment"):
        farthing.mbr(["a", "b"])
    with pytest.raises(farthing.UsageError, match="2 metrics were given, but one chooses"):
        farthing.mbr(LISTS, metric="chrf,bleu")
    with pytest.raises(farthing.MissingInput, match=r"frugalscore needs (sources or )?references"):
        farthing.rerank(LISTS)
    with pytest.raises(farthing.UsageError, match="2 lists of candidates but 1 sources"):
        farthing.rerank(LISTS, sources=["a"])
