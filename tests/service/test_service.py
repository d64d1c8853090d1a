"""The service without a network."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import farthing
from farthing.core.errors import FarthingError
from farthing.core.nbest import NBest
from farthing.core.types import Pairs
from farthing.service.limits import Limits, TooLarge, TooMany
from farthing.service.order import Resampling
from farthing.service.service import Service


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    made = Service(Limits(characters=3_000, set_rows=5)).start()
    yield made
    made.close()


def test_scores_are_those_of_the_front_door(service: Service) -> None:
    candidates, references = ["the cat sat", "a dog"], [["a cat sat down"], ["the dog", "a hound"]]
    result = service.score([Pairs(candidates, references)], ["chrf"]).wait(60).comparison()
    expected = farthing.score(candidates, references, "chrf")
    assert result.rows[0].cells[0].scores.segments == pytest.approx(expected.segments)


def test_reranking_is_that_of_the_front_door(service: Service) -> None:
    lists = [["the cat sat", "dogs", "the cat sat", "a cat sat"], ["x", "it rained"]]
    references = [["a cat sat down"], ["it was raining"]]
    given = [NBest(texts, one) for texts, one in zip(lists, references, strict=True)]
    found = service.choices(service.rerank(given, "chrf", 2).wait(60), given, 2)
    assert found.to_dict() == farthing.rerank(lists, references, "chrf", top=2).to_dict()


def test_an_alignment_is_that_of_the_command(service: Service) -> None:
    found = service.align("the cat sat", "a cat sat down", "bertscore(model=nano)").answer.result(60)
    similarity = np.array(found["similarity"])
    assert found["matches"] == similarity.argmax(axis=1).tolist()
    assert found["candidate"] == ["the", "cat", "sat"]
    assert "errors" in found


@pytest.mark.parametrize(
    ("pairs", "metrics", "kind", "sentence"),
    [
        (Pairs([], []), ["chrf"], FarthingError, "nothing to score"),
        (Pairs(["x" * 3001], [["y"]]), ["chrf"], TooLarge, "3001 characters"),
        (Pairs(["x" * 2001], [["y"]]), ["ter"], TooLarge, "2000 that are allowed"),
        (Pairs(["x"], [["y" * 3001]]), ["chrf"], TooLarge, "3001 characters"),
        (Pairs(["x"] * 20_001, [["y"]] * 20_001), ["chrf"], TooMany, "20001 rows"),
        (Pairs(["x"] * 6, [["y"]] * 6), ["distinct"], TooMany, "6 rows"),
        (Pairs(["x"], [["y"] * 17]), ["chrf"], TooMany, "17 references"),
        (Pairs(["x"], [["y"]]), ["chrf"] * 9, TooMany, "9 metrics"),
    ],
)
def test_limits(service: Service, pairs: Pairs, metrics: list[str], kind: type[Exception], sentence: str) -> None:
    with pytest.raises(kind, match=sentence):
        service.score([pairs], metrics)


def test_mistakes_are_sentences(service: Service) -> None:
    two = {"a": ["x"], "b": ["y"]}
    with pytest.raises(FarthingError, match="the baseline 'c' is none of the systems: a, b"):
        service.compare(two, [["x"]], None, ["chrf"], Resampling(test="bootstrap", baseline="c"))
    with pytest.raises(FarthingError, match="at least two systems"):
        service.compare({"a": ["x"]}, [["x"]], None, ["chrf"], Resampling(test="bootstrap"))
    with pytest.raises(FarthingError, match="different numbers of outputs"):
        service.compare({"a": ["x"], "b": []}, None, None, ["chrf"])
    with pytest.raises(TooMany, match="resamples"):
        service.compare(two, [["x"]], None, ["chrf"], Resampling(test="bootstrap", resamples=10**6))
    with pytest.raises(FarthingError, match="cannot choose among candidates"):
        service.rerank([NBest(["a"], ["b"])], "distinct")
    with pytest.raises(TooLarge):
        service.align("x" * 2001, "y")
    with pytest.raises(FarthingError, match="use frugalscore or bertscore"):
        service.align("x", "y", "chrf").answer.result(60)
    order = service.rerank([NBest(["a"])], "chrf").wait(60)
    with pytest.raises(FarthingError, match="chrf needs references"):
        order.scores()


def test_the_forms_name_what_is_offered() -> None:
    assert [form["name"] for form in Service(metrics=["bleu", "chrf"]).forms()] == ["bleu", "chrf"]
