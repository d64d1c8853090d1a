"""Set metrics on judged systems, against the metric called by hand."""

from __future__ import annotations

import pytest

from farthing.core.errors import UsageError
from farthing.core.specs import parse_spec
from farthing.core.types import Sets
from farthing.meta.gathered import gather_scores
from farthing.meta.judged_sets import judges_sets, score_judged_sets
from farthing.meta.judgements import Judgements
from farthing.meta.kept import ScoreStore
from farthing.meta.question import Question
from farthing.meta.read.human import judgements_of
from farthing.meta.study import study
from farthing.metrics.sets.distinct import DistinctN
from farthing.metrics.sets.markevaluate import MarkEvaluate

WORDS = ("the", "cat", "dog", "sat", "ran", "on", "in", "mat", "house", "green", "small", "birds", "fly", "over", "old")


def some_text(number: int) -> str:
    return " ".join(WORDS[(number * step) % len(WORDS)] for step in (1, 3, 5, 7, 11))


@pytest.fixture(scope="module")
def three_systems() -> Judgements:
    """Three systems of six outputs each; the later ones say more and more the same."""
    rows = [
        {
            "system": system,
            "segment_id": item,
            "reference": [some_text(item), some_text(item + 20)],
            "candidate": some_text(item % (6 - 2 * place) + 1),
            "score": 3 - place,
        }
        for place, system in enumerate("ABC")
        for item in range(6)
    ]
    return judgements_of(enumerate(rows, start=1), "human.jsonl")


def test_a_system_is_a_set_and_the_references_are_the_corpus(three_systems: Judgements) -> None:
    spec = parse_spec("markevaluate(model=nano)")
    assert judges_sets(spec)
    assert not judges_sets(parse_spec("bleu"))
    found = score_judged_sets(three_systems, [spec])[spec]
    corpus = [text for item in range(6) for text in (some_text(item), some_text(item + 20))]
    for place, system in enumerate("ABC"):
        outputs = [some_text(item % (6 - 2 * place) + 1) for item in range(6)]
        expected = MarkEvaluate(model="nano").score_sets(Sets(outputs, corpus)).corpus
        assert found.whole["all", system] == expected
    assert found.only_whole


def test_they_are_compared_with_people_beside_other_metrics(three_systems: Judgements) -> None:
    specs = [parse_spec("distinct"), parse_spec("bleu")]
    metrics = gather_scores(three_systems, specs, (), (), ScoreStore(None))
    found = study(three_systems, metrics, Question(level="system"))
    cell = found.cells["distinct"]["all"].found
    assert [metric.name for metric in metrics] == ["distinct", "bleu"]
    assert cell is not None
    assert cell.value > 0.8
    outputs = [some_text(item % 6 + 1) for item in range(6)]
    assert metrics[0].whole["all", "A"] == DistinctN().score_sets(Sets(outputs)).corpus


def test_single_outputs_have_no_such_score(three_systems: Judgements) -> None:
    metrics = gather_scores(three_systems, [parse_spec("distinct")], (), (), ScoreStore(None))
    with pytest.raises(UsageError, match="distinct has scores of whole systems only: give --level system"):
        study(three_systems, metrics, Question())
    with pytest.raises(UsageError, match="use --test williams; the bootstrap test needs a score of every output"):
        study(three_systems, metrics, Question(level="system", test="bootstrap"))
