"""One set score per row, against the metric of sets called by hand."""

from __future__ import annotations

import numpy as np
import pytest

from farthing.core.errors import UnknownName
from farthing.core.types import Pairs, Sets
from farthing.metrics.sets.frechet import Fid
from farthing.metrics.sets.markevaluate import MarkEvaluate
from farthing.metrics.sets.rows import RowSets
from farthing.metrics.sets.samples import SampleOptions, gather

CANDIDATES = ["The cat sat on the mat.", "A dog ran. Rain fell. Nobody came."]
REFERENCES = [["The cat sat down.", "There was a cat."], ["The dog was running. It rained. All stayed home."]]
PAIRS = Pairs.of(CANDIDATES, REFERENCES)


def samples(texts: list[str], kind: str) -> np.ndarray:
    return gather(texts, SampleOptions(model="nano", samples=kind), "it").vectors  # type: ignore[arg-type]


def test_words_of_the_candidate_against_words_of_all_references() -> None:
    metric = RowSets(model="nano", part="petersen", k=2)
    expected = [
        MarkEvaluate(k=2).score_sets(Sets(samples([text], "word"), samples(others, "word"))).parts["petersen"]
        for text, others in zip(CANDIDATES, REFERENCES, strict=True)
    ]
    scores = metric.score(PAIRS)
    assert np.allclose(scores.segments, expected)
    assert scores.corpus == pytest.approx(np.mean(expected))
    assert not scores.notes


def test_sentences_and_distances() -> None:
    metric = RowSets(metric="fid", model="nano", samples="sentence")
    assert not metric.info.higher_is_better
    scores = metric.score(PAIRS)
    texts = (["A dog ran.", "Rain fell.", "Nobody came."], ["The dog was running.", "It rained.", "All stayed home."])
    expected = Fid().score_sets(Sets(*(samples(side, "sentence") for side in texts))).corpus
    assert scores.segments[1] == pytest.approx(expected)
    assert scores.segments[0] == 2  # one sentence is no set
    assert [(note.kind, note.rows) for note in scores.notes] == [("few", (0,))]


def test_empty_texts_get_the_worst_score() -> None:
    scores = RowSets(model="nano").score(Pairs.of(["", "the cat sat"], ["the cat", "the cat sat"]))
    assert scores.segments[0] == 0
    assert scores.segments[1] > 0.9
    assert np.isfinite(scores.segments).all()


def test_an_unknown_part_is_named() -> None:
    with pytest.raises(UnknownName, match="part of markevaluate"):
        RowSets(model="nano", part="peterson").score(PAIRS)
