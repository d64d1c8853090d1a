"""The one flow: what it takes, what it refuses, and that every door gives the same numbers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

import farthing
from farthing.compat import evaluate
from farthing.core.errors import UsageError
from farthing.core.types import Pairs, Sets
from farthing.files.inputs import Given
from farthing.scoring.engine import LocalEngine, Ready, Stretch, StretchScores
from farthing.scoring.score import choose, score

CANDIDATES, REFERENCES = ["the cat sat", "a dog ran far"], ["the cat sat down", "the dog ran"]


def test_every_door_gives_the_same_number() -> None:
    flow = score(choose("chrf"), Given([Pairs.of(CANDIDATES, REFERENCES)])).rows[0].cells[0].scores
    door = farthing.score(CANDIDATES, REFERENCES, metric="chrf")
    own = farthing.load("chrf").score(Pairs.of(CANDIDATES, REFERENCES))  # type: ignore[union-attr]
    twin = evaluate.load("chrf").compute(predictions=CANDIDATES, references=REFERENCES)
    compared = farthing.compare({"a": CANDIDATES}, REFERENCES, metrics="chrf").rows[0].cells[0].scores
    assert flow.corpus == door.corpus == own.corpus == twin["score"] == compared.corpus


def test_the_same_metric_twice_is_a_mistake() -> None:
    with pytest.raises(UsageError, match="asked for twice"):
        choose("chrf, chrf")


def test_an_encoder_is_for_metrics_over_encoders_that_name_none() -> None:
    chosen = choose("chrf,impar,impar(k=1, model=other)", encoder="mine")
    assert [one.spec for one in chosen] == ["chrf", "impar(model=mine)", "impar(k=1, model=other)"]
    chosen = choose("bertscore,moverscore(model=tiny),frugalscore", encoder="nano")
    assert [one.spec for one in chosen] == ["bertscore(model=nano)", "moverscore(model=tiny)", "frugalscore"]
    with pytest.raises(UsageError, match="the encoder small has nothing to do: chrf, distinct uses no encoder"):
        choose("chrf,distinct", encoder="small")


def test_sets_cannot_be_tested_pair_by_pair() -> None:
    sets = Sets(np.eye(9), np.eye(9))
    with pytest.raises(UsageError, match="judges a set, not pairs"):
        score(choose("impar"), Given(sets=[sets]), test="randomization")


def test_samples_of_huge_sets_are_not_tested() -> None:
    random = np.random.default_rng(0)
    corpus = random.normal(size=(90, 3))
    sets = [Sets(random.normal(size=(90, 3)), corpus, name) for name in "ab"]
    with pytest.raises(UsageError, match="has drawn no samples to test"):
        score(choose("impar(sample=50)"), Given(sets=sets), test="bootstrap")


def test_sets_and_pairs_are_tested_together() -> None:
    texts = [CANDIDATES * 5, CANDIDATES[::-1] * 5]
    pairs = [Pairs.of(one, REFERENCES * 5, system=name) for name, one in zip("ab", texts, strict=True)]
    vectors = np.random.default_rng(0).normal(size=(40, 3))
    sets = [Sets(vectors * scale, vectors, name) for name, scale in (("a", 1.0), ("b", 9.0))]
    found = score(choose("chrf,fid"), Given(pairs, sets), test="bootstrap")
    assert [row.system for row in found.rows] == ["a", "b"]
    assert [cell.paired is not None for cell in found.rows[1].cells] == [True, True]
    assert "Paired bootstrap against a" in str(found)
    assert "Bootstrap of the sets and their corpus against a (samples: fid 100" in str(found)


def test_systems_of_different_lengths_are_refused() -> None:
    with pytest.raises(UsageError, match="a has 2, b has 1"):
        Given([Pairs.of(CANDIDATES, REFERENCES, system="a"), Pairs.of(["x"], ["y"], system="b")])


class Elsewhere(LocalEngine):
    """Sends plain text to a worker, which knows nothing but specs and states."""

    def map(self, metrics: Sequence[Ready], stretches: Iterable[Stretch]) -> Iterator[StretchScores]:
        letter = json.dumps([(ready.spec, ready.state) for ready in metrics])
        worker = [Ready.rebuilt(spec, state) for spec, state in json.loads(letter)]
        return super().map(worker, stretches)


def test_a_worker_rebuilds_a_metric_from_its_spec_and_state(tiny_model: Callable[..., Path]) -> None:
    """The idf of all references reaches a worker that never sees them."""
    specs = f"bertscore(model={tiny_model('bert')}, layer=2, idf=true),chrf"
    inputs = Given([Pairs.of(CANDIDATES * 3, REFERENCES * 3)])
    here = score(choose(specs), inputs)
    there = score(choose(specs), inputs, engine=Elsewhere())
    for one, other in zip(here.rows[0].cells, there.rows[0].cells, strict=True):
        assert np.array_equal(one.scores.segments, other.scores.segments)
        assert str(one.scores.signature) == str(other.scores.signature)
