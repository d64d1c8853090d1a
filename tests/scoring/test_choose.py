"""Choosing against a brute force over single calls of `score`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import farthing
from farthing.core.errors import MissingInput, UsageError
from farthing.core.metric import Metric
from farthing.core.nbest import NBest
from farthing.core.registry import load, load_pairs_metric
from farthing.core.types import MetricInfo, Pairs, Scores
from farthing.scoring import choose
from farthing.scoring.choose import choose_by_risk, choose_by_score, distinct_texts

WORDS = ["the", "cat", "sat", "on", "a", "mat"]
TEXT = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
CHRF = load_pairs_metric("chrf")


class Source(Metric):
    """Share of the source's characters that the candidate repeats; it needs no reference."""

    about = MetricInfo("source", "", "", (0, 1), needs=frozenset({"source"}))

    def score_pairs(self, pairs: Pairs) -> Scores:
        assert pairs.sources is not None
        rows = zip(pairs.candidates, pairs.sources, strict=True)
        segments = np.array([len(set(own) & set(other)) / len(set(other)) for own, other in rows])
        return Scores(float(segments.mean()), segments, farthing.Signature("source"))


def utility(candidate: str, reference: str, metric: str = "chrf") -> float:
    return farthing.score([candidate], [reference], metric=metric).corpus


@settings(max_examples=40)
@given(st.lists(TEXT, min_size=2, max_size=6), st.booleans())
def test_risk_is_that_of_a_brute_force(texts: list[str], itself: bool) -> None:
    [found] = choose_by_risk(CHRF, [NBest(texts)], top=9, itself=itself)
    for text, score, place in zip(found.texts, found.scores, found.places, strict=True):
        others = texts if itself else [other for number, other in enumerate(texts) if number != texts.index(text)]
        assert score == pytest.approx(np.mean([utility(text, other) for other in others]))
        assert place == texts.index(text)
    assert sorted(found.scores, reverse=True) == pytest.approx(found.scores)
    assert set(found.texts) == set(texts)


def test_weights_stand_for_repetitions() -> None:
    texts, weights = ["the cat", "a cat sat", "the mat"], [3, 1, 2]
    repeated = [text for text, weight in zip(texts, weights, strict=True) for _ in range(weight)]
    [by_repetition] = choose_by_risk(CHRF, [NBest(repeated)], top=3, itself=True)
    [by_weight] = choose_by_risk(CHRF, [NBest(texts, weights=weights)], top=3)
    assert by_weight.texts == by_repetition.texts
    assert by_weight.scores == pytest.approx(by_repetition.scores)


def test_a_candidate_has_all_other_occurrences_as_pseudo_references() -> None:
    """Two of three candidates are equal: each of them has its twin and the third one."""
    [found] = choose_by_risk(CHRF, [NBest(["the cat", "the cat", "dogs"])], top=2)
    assert found.texts == ("the cat", "dogs")
    assert found.scores == pytest.approx([(100 + utility("the cat", "dogs")) / 2, utility("dogs", "the cat")])


def test_a_lonely_candidate_is_compared_with_itself() -> None:
    [one] = choose_by_risk(CHRF, [NBest(["the cat"])])
    assert (one.text, one.score) == ("the cat", pytest.approx(100))


def test_pseudo_references_may_be_other_texts_with_weights() -> None:
    pseudo = [NBest(["the cat", "a dog", "the cat"], weights=[1, 2, 3])]
    [found] = choose_by_risk(CHRF, [NBest(["the cats", "the dog"])], pseudo, top=2)
    for text, score in zip(found.texts, found.scores, strict=True):
        assert score == pytest.approx((4 * utility(text, "the cat") + 2 * utility(text, "a dog")) / 6)
    with pytest.raises(UsageError, match="1 lists of candidates but 2 lists of pseudo-references"):
        choose_by_risk(CHRF, [NBest(["a"])], pseudo * 2)


def test_less_is_better_for_error_rates() -> None:
    [found] = choose_by_risk(load_pairs_metric("ter"), [NBest(["x y z", "a b c", "a b d"])], top=3)
    assert list(found.scores) == sorted(found.scores)
    assert found.texts[-1] == "x y z"


def test_ties_are_broken_by_order() -> None:
    [found] = choose_by_risk(CHRF, [NBest(["ab", "cd", "ef"])], top=3)
    assert found.texts == ("ab", "cd", "ef")


@pytest.mark.parametrize("limit", ["PAIRS", "TEXTS"])
def test_lists_are_scored_some_at_a_time(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    lists = [NBest(["the cat", "a cat", "dogs"]), NBest(["a b", "a c"]), NBest(["x", "", "x y"])]
    together = choose_by_risk(CHRF, lists, top=3)
    monkeypatch.setattr(choose, limit, 1)
    apart = choose_by_risk(CHRF, lists, top=3)
    assert apart.to_dict() == together.to_dict()
    assert apart.notes == together.notes
    assert {note.rows for note in apart.notes} == {(2,)}  # segments, not pairs


def test_idf_counts_every_pseudo_reference_once(
    tiny_model: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choose, "PAIRS", 1)
    metric = load_pairs_metric(f"bertscore(model={tiny_model('bert')}, layer=1, idf=true)")
    lists = [["the cat sat", "the mat", "a dog"], ["the rain", "a cat"]]
    found = choose_by_risk(metric, [NBest(texts) for texts in lists], top=9, itself=True)
    pairs = [(own, other) for texts in lists for own in texts for other in texts]
    once = [text for texts in lists for text in texts]
    state = metric.prepare([[Pairs.of(once, once)]])
    assert state is not None
    counted = metric.prepared(state)
    scores = counted.score_pairs(Pairs.of([own for own, _ in pairs], [other for _, other in pairs])).segments
    assert scores is not None
    first = scores[:9].reshape(3, 3).mean(axis=1)
    assert sorted(found[0].scores) == pytest.approx(sorted(first), abs=1e-6)


def test_references_make_an_oracle() -> None:
    lists = [NBest(["a dog", "the cat", "the cat"], ["the cat sat", "a cat"]), NBest(["b", "a"], ["a"])]
    found = choose_by_score(CHRF, lists, top=2)
    assert found.texts == ["the cat", "a"]
    assert found[0].places == (1, 0)
    assert found[0].score == pytest.approx(
        farthing.score(["the cat"], [["the cat sat", "a cat"]], metric="chrf").corpus
    )


def test_sources_need_no_reference() -> None:
    found = choose_by_score(Source(), [NBest(["xyz", "abc"], source="abd"), NBest(["q"], source="r")])
    assert found.texts == ["abc", "q"]
    with pytest.raises(UsageError, match="does not compare a candidate with another one: use rerank"):
        choose_by_risk(Source(), [NBest(["a"], source="b")])


def test_sources_may_stand_in_for_references() -> None:
    class Either(Source):
        about = MetricInfo("either", "", "", (0, 1), or_source=True)

    assert choose_by_score(Either(), [NBest(["xyz", "abc"], source="abd")]).texts == ["abc"]
    with pytest.raises(MissingInput, match=r"either needs sources or references: .* or use mbr"):
        choose_by_score(Either(), [NBest(["a"], source="b"), NBest(["c"])])
    with pytest.raises(MissingInput, match=r"either needs references"):
        choose_by_score(Either(), [NBest(["a"], ["r"], source="b"), NBest(["c"], source="d")])


def test_mistakes_get_a_sentence() -> None:
    with pytest.raises(MissingInput, match=r"chrf needs references: .* or use mbr"):
        choose_by_score(CHRF, [NBest(["a"])])
    with pytest.raises(UsageError, match="impar judges a set"):
        choose_by_risk(load("impar"), [NBest(["a"])])
    with pytest.raises(UsageError, match="nothing to choose from"):
        choose_by_score(CHRF, [])
    with pytest.raises(UsageError, match="top=0 must be at least 1"):
        choose_by_risk(CHRF, [NBest(["a"])], top=0)


def test_distinct_texts_sum_their_weights() -> None:
    found = distinct_texts(["b", "a", "b"], [1.0, 4.0, 2.0])
    assert (found.texts, found.places) == (["b", "a"], [0, 1])
    assert found.weights.tolist() == [3.0, 4.0]
