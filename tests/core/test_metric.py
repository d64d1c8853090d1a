"""What a metric gets for free, and the checks that metrics share."""

from __future__ import annotations

import numpy as np
import pytest

from farthing.core.errors import MissingInput, SpecError, UsageError
from farthing.core.metric import Metric, SetMetric, check_pairs, check_positive, empty_notes, others
from farthing.core.signature import Signature
from farthing.core.types import MetricInfo, Pairs, Scores, Sets


class Length(Metric):
    """The number of characters of a candidate."""

    about = MetricInfo("length", "characters", "none", (0, None), needs=frozenset())

    def score_pairs(self, pairs: Pairs) -> Scores:
        lengths = np.array([float(len(text)) for text in pairs.candidates])
        return Scores(float(lengths.mean()), lengths, Signature("length", {}), system=pairs.system)


class Sizes(SetMetric):
    """The ratio of two sets' sizes."""

    about = MetricInfo("sizes", "sizes", "none", (0, None), level="set")

    def score_sets(self, sets: Sets) -> Scores:
        return Scores(len(sets.generated) / len(sets.corpus), None, Signature("sizes", {}), system=sets.system)


def test_score_is_the_only_step_that_must_be_written() -> None:
    metric = Length()
    systems = [Pairs.of(["a", "bcd"], system="x"), Pairs.of(["", "bc"], system="y")]
    assert [scores.corpus for scores in metric.score_systems(systems)] == [2.0, 1.0]
    [[one, two]] = Length.score_shared([metric], systems)
    assert (one.system, two.corpus) == ("x", 1.0)
    assert metric.prepare([systems]) is None
    assert metric.prepared({}) is metric
    assert metric.sharing() is None
    assert metric.finish(one) is one
    assert metric.info is Length.about
    with pytest.raises(UsageError, match="length keeps no statistics"):
        metric.aggregate(np.zeros(1))


def test_a_metric_without_its_step_cannot_be_made() -> None:
    for base in (Metric, SetMetric):
        with pytest.raises(TypeError, match="abstract"):
            type("Half", (base,), {})()


def test_assets_are_the_options_that_name_models_and_files() -> None:
    options = {"model": "m", "idf": "counts.tsv", "remap": None, "layer": 5, "baseline": True, "lm": ""}
    for metric in (Length, Sizes):
        assert metric.assets(options) == ["m", "counts.tsv"]
    assert Sizes().info.level == "set"


NEEDS_BOTH = MetricInfo("both", "", "", (0, 1), needs=frozenset({"reference", "source"}))


@pytest.mark.parametrize(
    ("pairs", "error", "sentence"),
    [
        (Pairs.of([], []), UsageError, "both has nothing to score"),
        (Pairs.of(["a"], ["b"]), MissingInput, "both needs a source for every candidate"),
        (Pairs.of(["a"], None, ["s"]), MissingInput, "both needs a reference for every candidate"),
        (Pairs.of(["a", "b"], [["r"], []], ["s", "t"]), MissingInput, "row 2 has none"),
    ],
)
def test_what_is_missing_is_named(pairs: Pairs, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        check_pairs(NEEDS_BOTH, pairs)


def test_what_is_not_needed_is_not_asked_for() -> None:
    check_pairs(Length.about, Pairs.of(["a"]))
    check_pairs(NEEDS_BOTH, Pairs.of(["a"], ["b"], ["c"]))


def test_sources_may_stand_in_for_references() -> None:
    either = MetricInfo("either", "", "", (0, 1), or_source=True)
    check_pairs(either, Pairs.of(["a"], ["b"]))
    check_pairs(either, Pairs.of(["a"], None, ["c"]))
    with pytest.raises(MissingInput, match=r"needs a reference or a source for every candidate \(-r or -s on the"):
        check_pairs(either, Pairs.of(["a"]))
    with pytest.raises(MissingInput, match="row 2 has none"):
        check_pairs(either, Pairs.of(["a", "b"], [["r"], []], ["s", "t"]))


def test_others_and_notes_on_empty_texts() -> None:
    pairs = Pairs.of(["a", " ", ""], [["r", ""], ["r"], ["r"]], ["s", "t", "\t"])
    assert others(pairs, 0, "reference") == ["r", ""]
    assert others(pairs, 1, "source") == ["t"]
    assert others(Pairs.of(["a"], ["b"]), 0, "source") == []
    told = [(note.message, note.rows) for note in empty_notes(pairs)]
    assert told == [("the candidate has no text", (1, 2)), ("a reference has no text", (0,))]
    assert [note.rows for note in empty_notes(pairs, "source")] == [(1, 2), (2,)]
    assert empty_notes(Pairs.of(["a"], ["b"])) == ()


def test_positive_options() -> None:
    check_positive("x", k=1, rate=0.5)
    check_positive("x", or_zero=True, k=0)
    with pytest.raises(SpecError, match="x: k=0 must be above 0"):
        check_positive("x", k=0)
    with pytest.raises(SpecError, match="x: k=-1 must be at least 0"):
        check_positive("x", or_zero=True, k=-1)
