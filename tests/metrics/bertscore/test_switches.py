"""BERTScore's switches against the paper's formula written out over chosen tokens, weights and layers."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from farthing.core.errors import SpecError
from farthing.core.types import Pairs
from farthing.metrics.bertscore.bertscore import BertScore
from farthing.scoring.engine import score_stretches

CANDIDATES = ["the cat sat on the mat", "a dog, watching the migration", "shares fell, unexpectedly", "she survived"]
REFERENCES = ["the cat looked at the mat", "the dog was watching it pour", "the bank's shares fell", "winter survives"]
PAIRS = Pairs.of(CANDIDATES, REFERENCES)


def straight(metric: BertScore, *, own: bool, drop: bool, layers: list[int]) -> np.ndarray:
    """Precision, recall and F1 of every pair."""
    tokenizer = metric.engine.encoder.tokenizer
    encoded = dict(metric.engine.encode([*CANDIDATES, *REFERENCES], layers))
    counts = []
    for side in (CANDIDATES, REFERENCES):
        found: dict[int, int] = {}
        for ids in tokenizer.contents(side):
            for token in set(ids):
                found[token] = found.get(token, 0) + 1
        counts.append(found)
    rows = []
    for pair in zip(CANDIDATES, REFERENCES, strict=True):
        sides = []
        for number, text in enumerate(pair):
            ids = encoded[text].ids[encoded[text].content]
            states = [encoded[text].states[layer][encoded[text].content] for layer in layers]
            units = [state / np.linalg.norm(state, axis=1, keepdims=True) for state in states]
            joined = np.concatenate([np.min(units, axis=0), np.mean(units, axis=0), np.max(units, axis=0)], axis=1)
            joined /= np.linalg.norm(joined, axis=1, keepdims=True)
            df = counts[number if own else 1]
            weights = np.array([math.log(5 / (df.get(int(token), 0) + 1)) for token in ids])
            words = [tokenizer.token(int(token)) for token in ids]
            kept = [i for i, word in enumerate(words) if not drop or not (word in ",'" or word.startswith("##"))]
            sides.append((joined[kept], weights[kept]))
        (x, a), (y, b) = sides
        similarity = x @ y.T
        precision, recall = a @ similarity.max(axis=1) / a.sum(), b @ similarity.max(axis=0) / b.sum()
        rows.append([precision, recall, 2 * precision * recall / (precision + recall)])
    return np.array(rows)


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("drop", [False, True])
@pytest.mark.parametrize("power_means", [1, 3])
def test_switches_are_the_formula(tiny_model: Callable[..., Path], own: bool, drop: bool, power_means: int) -> None:
    metric = BertScore(
        model=str(tiny_model("bert", layers=4)), layer=4, idf=True, candidate_idf=own, power_means=power_means,
        drop_punctuation=drop, drop_subwords=drop,
    )  # fmt: skip
    expected = straight(metric, own=own, drop=drop, layers=[4, 3, 2][:power_means])
    scores = metric.score(PAIRS)
    found = np.stack([scores.parts["precision"], scores.parts["recall"], scores.segments], axis=1)
    assert np.allclose(found[:, :2], expected[:, :2], atol=1e-5)
    positive = (expected[:, :2] > 0).all(axis=1)
    assert positive.any()
    assert np.allclose(found[positive], expected[positive], atol=1e-5)


def test_each_system_has_its_own_idf_in_stretches_too(tiny_model: Callable[..., Path]) -> None:
    metric = BertScore(model=str(tiny_model("bert")), layer=3, idf=True, candidate_idf=True)
    systems = [PAIRS, Pairs.of(["the cat", *CANDIDATES[1:]], REFERENCES, system="b")]
    alone = [metric.score(pairs) for pairs in systems]

    def stretches() -> Any:
        for part in (slice(0, 1), slice(1, 4)):
            yield [Pairs(p.candidates[part], p.references[part], system=p.system) for p in systems]

    [together] = score_stretches([metric], stretches)
    for one, other in zip(alone, together, strict=True):
        assert np.allclose(one.segments, other.segments, atol=1e-6)
        assert one.signature == other.signature
    assert alone[0].signature != alone[1].signature


def test_never_nan(tiny_model: Callable[..., Path]) -> None:
    metric = BertScore(
        model=str(tiny_model("bert")), layer=3, idf=True, candidate_idf=True, drop_punctuation=True, drop_subwords=True
    )
    long = "the cat sat on the mat " * 400
    scores = metric.score(Pairs.of(["", ",", "the cat", "", long], ["the", "'", "the cat", "", "the"]))
    assert np.isfinite(scores.segments).all()
    assert scores.segments[3] == 1
    assert {note.kind for note in scores.notes} >= {"dropped", "empty"}
    assert np.isfinite(metric.score(Pairs.of(["the"], ["the"])).segments).all()


def test_early_exit(tiny_model: Callable[..., Path]) -> None:
    scores = BertScore(model=str(tiny_model("bert")), early_exit=2.0).score(PAIRS)
    first = BertScore(model=str(tiny_model("bert")), layer=1).score(PAIRS)
    assert np.allclose(scores.segments, first.segments, atol=1e-6)
    assert any(note.kind == "early exit" for note in scores.notes)


def test_what_does_not_go_together_is_a_sentence(tiny_model: Callable[..., Path]) -> None:
    folder = str(tiny_model("bert"))
    with pytest.raises(SpecError, match="needs idf=true"):
        BertScore(model=folder, layer=3, candidate_idf=True)
    with pytest.raises(SpecError, match="compat"):
        BertScore(model=folder, layer=3, compat="bert_score", drop_subwords=True)
    with pytest.raises(SpecError, match="power_means=0"):
        BertScore(model=folder, layer=3, power_means=0)
