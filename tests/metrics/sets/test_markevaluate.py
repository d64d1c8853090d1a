"""Mark-Evaluate against the paper's equations, written out (tests/metrics/paper.py)."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import SpecError
from farthing.core.registry import load
from farthing.core.types import Sets
from farthing.metrics.sets.markevaluate import SCORES, MarkEvaluate

_SPEC = importlib.util.spec_from_file_location("paper", Path(__file__).parent / "paper.py")
assert _SPEC is not None
assert _SPEC.loader is not None
paper = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(paper)


def random_sets(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Small sets: normal ones, lattices full of ties, sets of copies, and sets that share samples."""
    random = np.random.default_rng(seed)
    n, m, d = random.integers(2, 9), random.integers(2, 9), random.integers(1, 4)
    corpus, generated = random.standard_normal((n, d)), random.standard_normal((m, d)) * 1.2
    if seed % 4 == 1:
        corpus, generated = random.integers(0, 3, (n, d)) * 1.0, random.integers(0, 3, (m, d)) * 1.0
    if seed % 4 == 2:
        generated = corpus[random.integers(0, n, m)]
    if seed % 4 == 3:
        corpus, generated = corpus.astype(np.float32), np.concatenate([corpus[:1], generated]).astype(np.float32)
    return generated, corpus


@pytest.mark.parametrize("first", range(0, 200, 25))
def test_equals_the_equations_of_the_paper(first: int) -> None:
    for seed in range(first, first + 25):
        generated, corpus = random_sets(seed)
        ks = list(range(1, min(len(generated), len(corpus))))
        parts = MarkEvaluate(k=ks).score_sets(Sets(generated, corpus)).parts
        for k in ks:
            mark = "" if k == ks[0] else f"_k{k}"
            expected = {
                "petersen": paper.petersen(corpus, generated, k),
                "schnabel_quality": paper.schnabel(corpus, generated, k),
                "schnabel_diversity": paper.schnabel(generated, corpus, k),
                "capture": paper.capture(corpus, generated, k),
            }
            for name, value in expected.items():
                assert parts[name + mark] == pytest.approx(value, abs=1e-12), (seed, k, name)


def test_identical_sets_are_perfect() -> None:
    vectors = np.random.default_rng(0).standard_normal((300, 96)).astype(np.float32)
    for other in (vectors, vectors[::-1].copy(), vectors.astype(np.float64)):
        parts = MarkEvaluate(k=[1, 2, 7]).score_sets(Sets(other, vectors)).parts
        assert all(parts[f"{name}{k}"] == 1 for name in SCORES[:3] for k in ("", "_k2", "_k7"))


def test_order_does_not_matter() -> None:
    random = np.random.default_rng(1)
    generated, corpus = random.standard_normal((90, 40)), random.standard_normal((120, 40))
    plain = MarkEvaluate(k=[1, 3]).score_sets(Sets(generated, corpus))
    mixed = MarkEvaluate(k=[1, 3]).score_sets(Sets(random.permutation(generated), random.permutation(corpus)))
    assert plain.parts == mixed.parts
    assert plain.corpus == mixed.corpus


def test_petersen_and_capture_are_symmetric_and_schnabel_turns_round() -> None:
    random = np.random.default_rng(2)
    generated, corpus = random.standard_normal((60, 5)), random.standard_normal((80, 5)) * 1.5
    one = MarkEvaluate().score_sets(Sets(generated, corpus)).parts
    two = MarkEvaluate().score_sets(Sets(corpus, generated)).parts
    assert (one["petersen"], one["capture"]) == (two["petersen"], two["capture"])
    assert one["schnabel_quality"] == two["schnabel_diversity"]


def test_parts_are_plain_numbers_with_their_names() -> None:
    generated, corpus = np.random.default_rng(3).standard_normal((2, 30, 4))
    result = load("markevaluate(k=[1, 3], part=petersen)").score_sets(Sets(generated, corpus))
    document = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert set(SCORES) <= set(document["parts"])
    assert result.segments is None
    assert result.corpus == result.parts["petersen"]
    for name in ("covered_generated", "unmarked_corpus", "population", "capture_estimate", "petersen_k3"):
        assert name in document["parts"]


def test_notes_warn_in_the_regions_that_mislead() -> None:
    random = np.random.default_rng(4)
    corpus = random.standard_normal((60, 3))
    collapsed = corpus[:1] + random.normal(0, 1e-3, (60, 3))
    kinds = {note.kind for note in MarkEvaluate().score_sets(Sets(collapsed, corpus)).notes}
    assert "petersen" in kinds
    far = MarkEvaluate(k=3).score_sets(Sets(corpus + 100, corpus))
    assert {"disjoint", "capture", "schnabel"} <= {note.kind for note in far.notes}
    assert "petersen_estimate" not in far.parts  # it is infinite
    same = MarkEvaluate().score_sets(Sets(corpus, corpus))
    assert [note.kind for note in same.notes] == ["capture"]


def test_wrong_k_is_one_sentence() -> None:
    for k in ([], [1, 1], 0, -2, [1, 0]):
        with pytest.raises(SpecError, match="k="):
            MarkEvaluate(k=k)
