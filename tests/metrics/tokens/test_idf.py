"""Idf of two sides: against counting in plain loops, and states that survive JSON for every metric that has one."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from farthing.core.metric import Metric
from farthing.core.registry import METRICS
from farthing.core.types import Pairs
from farthing.encoders.engine import Engine
from farthing.encoders.load import load_encoder
from farthing.metrics.tokens.idf import IdfPlan, SidedIdf
from farthing.scoring.engine import LocalEngine, Ready
from farthing.text.idf import Idf

CANDIDATES = ["the cat sat on the mat", "a dog, watching the rain", "shares fell", "she studied birds"]
REFERENCES = [["the cat looked", "the mat"], ["the dog was watching"], ["the bank's shares fell"], ["winter"]]
SYSTEMS = [Pairs.of(CANDIDATES, REFERENCES, system="a"), Pairs.of(CANDIDATES[::-1], REFERENCES, system="b")]


@pytest.fixture
def engine(tiny_model: Callable[..., Path]) -> Engine:
    return Engine(load_encoder(str(tiny_model("bert"))))


def document_counts(engine: Engine, documents: list[str]) -> dict[int, int]:
    counts: dict[int, int] = {}
    for ids in engine.encoder.tokenizer.contents(documents):
        for token in set(ids):
            counts[token] = counts.get(token, 0) + 1
    return counts


@pytest.mark.parametrize("size", [1, 3, 4])
def test_both_sides_are_counted_whatever_the_stretches(engine: Engine, size: int) -> None:
    stretches = [[pairs.part(start, start + size) for pairs in SYSTEMS] for start in range(0, 4, size)]
    counted = IdfPlan(engine, idf=True, own=True).counted(stretches)
    references = [text for row in REFERENCES for text in row]
    assert counted.references is not None
    assert (counted.references.documents, counted.references.counts) == (5, document_counts(engine, references))
    assert counted.candidates["a"].counts == document_counts(engine, CANDIDATES)
    assert counted.candidates["a"].hash == counted.candidates["b"].hash
    assert IdfPlan(engine, idf=True, own=False).counted(stretches).candidates == {}


def test_special_tokens_and_long_texts(engine: Engine) -> None:
    counted = IdfPlan(engine, idf=True, own=False, specials=True).count(["the cat", "rain"])
    tokenizer = engine.encoder.tokenizer
    assert all(counted.counts[token] == 2 for token in (*tokenizer.prefix, *tokenizer.suffix))
    long = "cat " * tokenizer.room + "dog"
    [dog] = tokenizer.contents(["dog"])[0]
    assert dog not in IdfPlan(engine, idf=True, own=False).count([long]).counts
    window = Engine(engine.encoder, long="window")
    assert dog in IdfPlan(window, idf=True, own=False).count([long]).counts


def test_what_need_not_be_counted_is_given(engine: Engine, tmp_path: Path) -> None:
    corpus, counts = tmp_path / "corpus.txt", tmp_path / "counts.json"
    corpus.write_text("the cat\nthe dog\n")
    assert IdfPlan(engine, idf=False, own=False).given() == SidedIdf()
    assert IdfPlan(engine, idf=True, own=False).given() is None
    given_counts = IdfPlan(engine, idf=str(corpus), own=False).given()
    assert given_counts is not None
    assert given_counts.references is not None
    assert given_counts.references.counts == document_counts(engine, ["the cat", "the dog"])
    given_counts.references.save(counts)
    loaded = IdfPlan(engine, idf=str(counts), own=False).given()
    assert loaded is not None
    assert loaded.fields("a") == given_counts.fields("a")
    mixed = IdfPlan(engine, idf=str(counts), own=True)
    assert mixed.given() is None
    assert mixed.counted([SYSTEMS]).candidates.keys() == {"a", "b"}


COUNTS = st.builds(
    lambda documents, counts: Idf(documents, {token: min(count, documents) for token, count in counts.items()}, "t"),
    st.integers(0, 50),
    st.dictionaries(st.integers(0, 99), st.integers(1, 50)),
)


@given(st.none() | COUNTS, st.dictionaries(st.text(), COUNTS))
def test_states_survive_json(references: Idf | None, candidates: dict[str, Idf]) -> None:
    sided = SidedIdf(references, candidates)
    again = SidedIdf.of_state(json.loads(json.dumps(sided.state())))
    assert (again.references is None) == (references is None)
    for system in [*candidates, "another"]:
        assert again.fields(system) == sided.fields(system)
        one, two = sided.of_system(system), again.of_system(system)
        if one is not None:
            assert two is not None
            assert (one.tokenizer, one.weights(range(99)).tolist()) == (two.tokenizer, two.weights(range(99)).tolist())


@given(st.lists(st.lists(st.integers(0, 9))), st.lists(st.lists(st.integers(0, 9))))
def test_counts_of_parts_add_up(left: list[list[int]], right: list[list[int]]) -> None:
    joined, whole = Idf.of(left) + Idf.of(right), Idf.of([*left, *right])
    assert joined.hash == whole.hash
    assert joined.weights([3])[0] == pytest.approx(math.log((len(left + right) + 1) / (whole.counts.get(3, 0) + 1)))


def prepared_metrics() -> list[str]:
    """The names of all metrics that look at the corpus before they score."""
    classes = {name: METRICS.get(name) for name in sorted(METRICS.builtin)}
    return [n for n, c in classes.items() if issubclass(c, Metric) and c.prepare is not Metric.prepare]


@pytest.mark.parametrize("name", ["baryscore", "bertscore", "moverscore"])
@pytest.mark.parametrize("options", ["idf=true", "idf=true, candidate_idf=true", "idf=true, candidate_idf=false"])
def test_a_worker_rebuilds_a_metric_from_its_spec_and_its_state(
    tiny_model: Callable[..., Path], name: str, options: str
) -> None:
    spec = f'{name}(model="{tiny_model("bert")}", threads=1, {options})'
    [ready] = LocalEngine().prepare([Ready.rebuilt(spec, None)], lambda: iter([SYSTEMS]))
    assert ready.state is not None
    state = json.loads(json.dumps(ready.state))
    assert state == ready.state
    expected = ready.metric.score_systems(SYSTEMS)
    part = [pairs.part(1, 3) for pairs in SYSTEMS]
    for rebuilt in (Ready.rebuilt(spec, ready.state), Ready.rebuilt(spec, state)):
        for one, two in zip(expected, rebuilt.metric.score_systems(SYSTEMS), strict=True):
            assert np.array_equal(one.segments, two.segments)
            assert one.signature == two.signature
        for one, two in zip(expected, rebuilt.metric.score_systems(part), strict=True):
            assert one.segments[1:3] == pytest.approx(two.segments, abs=1e-6)


def test_the_metrics_with_a_state_are_those_with_idf_and_those_that_choose_a_model_by_language() -> None:
    assert prepared_metrics() == ["baryscore", "bertscore", "frugalscore", "moverscore"]
