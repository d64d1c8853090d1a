"""Several metrics over several systems: in pieces or whole, the result is the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import pytest

import farthing
from farthing import Pairs
from farthing.core.errors import UsageError
from farthing.core.metric import Metric, State
from farthing.core.registry import load_pairs_metric
from farthing.core.types import MetricInfo, Scores
from farthing.scoring.engine import LateEngine, LocalEngine, Ready, are_several, score_stretches

CANDIDATES = ["the cat", "", "a dog barks", "no", "five green apples", "x y z"]
REFERENCES = [["the cat sat"], ["empty"], ["the dog barks", "a dog"], ["yes"], ["five apples"], ["x z"]]


def systems() -> list[Pairs]:
    return [Pairs(CANDIDATES, REFERENCES, system="a"), Pairs(CANDIDATES[::-1], REFERENCES, system="b")]


def in_pieces(size: int) -> Iterator[list[Pairs]]:
    for start in range(0, len(CANDIDATES), size):
        rows = slice(start, start + size)
        yield [Pairs(p.candidates[rows], p.references[rows], system=p.system) for p in systems()]


@pytest.mark.parametrize("size", [1, 2, 4, 6])
def test_pieces_give_the_score_of_the_whole(size: int) -> None:
    metrics = [farthing.load(spec) for spec in ("bleu", "chrf", "ter", "rouge")]
    found = score_stretches(metrics, lambda: in_pieces(size))
    for metric, row in zip(metrics, found, strict=True):
        for scores, pairs in zip(row, systems(), strict=True):
            expected = metric.score(pairs)
            assert scores.corpus == pytest.approx(expected.corpus, abs=1e-9)
            np.testing.assert_allclose(scores.segments, expected.segments)
            assert scores.system == pairs.system
            assert scores.parts.keys() == expected.parts.keys()
            assert {(note.message, note.rows) for note in scores.notes} == {
                (note.message, note.rows) for note in expected.notes
            }


def test_statistics_can_be_dropped_without_changing_the_score() -> None:
    metric = farthing.load("bleu")
    [[slim, _]] = score_stretches([metric], lambda: in_pieces(2), keep_statistics=False)
    assert slim.statistics is None
    assert slim.corpus == pytest.approx(metric.score(systems()[0]).corpus, abs=1e-9)


def test_number_of_references_varies_over_the_whole() -> None:
    [[scores, _]] = score_stretches([farthing.load("chrf")], lambda: in_pieces(1))
    assert "nrefs:var" in str(scores.signature)


class CorpusMean(Metric):
    """Scores a pair by its length relative to the mean length of all references."""

    about = MetricInfo("corpusmean", "for this test", "none", (0, None))

    def __init__(self, mean: float | None = None) -> None:
        self.mean = mean

    def prepare(self, stretches: Iterable[Sequence[Pairs]]) -> State:
        return {"mean": np.mean([len(t) for systems in stretches for row in systems[0].references for t in row])}

    def prepared(self, state: State) -> CorpusMean:
        return CorpusMean(state["mean"])

    def score_pairs(self, pairs: Pairs) -> Scores:
        assert self.mean is not None
        values = np.array([len(text) / self.mean for text in pairs.candidates])
        return Scores(float(values.mean()), values, farthing.load("chrf").score(pairs).signature)


def test_a_metric_may_look_at_the_whole_corpus_first() -> None:
    [[first, _]] = score_stretches([CorpusMean()], lambda: in_pieces(2))
    mean = np.mean([len(text) for row in REFERENCES for text in row])
    np.testing.assert_allclose(first.segments, [len(text) / mean for text in CANDIDATES])


def test_nothing_to_score() -> None:
    with pytest.raises(UsageError, match="nothing to score"):
        score_stretches([farthing.load("chrf")], lambda: iter([]))


def test_another_engine_is_made_only_for_several_stretches() -> None:
    made: list[int] = []

    class Other(LocalEngine):
        def __init__(self) -> None:
            made.append(1)

    engine = LateEngine(Other)
    metric = load_pairs_metric("chrf")
    ready = [Ready("chrf", metric)]
    stretch = [Pairs.of(["a cat"], ["a cat"])]
    for count in (0, 1, 2, 3):
        assert len(list(engine.map(ready, iter([stretch] * count)))) == count
        assert len(made) == max(0, count - 1)


def test_items_are_counted_without_losing_any() -> None:
    for count in range(4):
        several, items = are_several(iter(range(count)))
        assert (several, list(items)) == (count > 1, list(range(count)))
