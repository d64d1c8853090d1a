"""Tricks change what scoring costs, never the scores."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from farthing.bench.passes import score_pass
from farthing.bench.tricks import CACHED, SORTED, UNSORTED, InputOrder, engine_tricks, made_systems, system_trick
from farthing.core.registry import load_pairs_metric
from farthing.core.types import Pairs


def test_unsorted_and_cached_scores_are_the_plain_ones(
    pairs: Pairs, tiny_model: Callable[..., Path], tmp_path: Path
) -> None:
    metric = load_pairs_metric(f"bertscore(model={tiny_model('bert')}, layer=2)")
    tricks = list(engine_tricks(metric, pairs, tmp_path))
    assert [trick.name for trick in tricks] == [UNSORTED, SORTED, CACHED]
    plain = metric.score(pairs).segments
    for trick in tricks:
        [found] = score_pass(trick.metric, trick.systems)
        np.testing.assert_allclose(found.segments, plain, atol=1e-5)


def test_unsorted_batches_are_padded_in_the_order_of_the_input(tiny_model: Callable[..., Path]) -> None:
    metric = load_pairs_metric(f"bertscore(model={tiny_model('bert')}, layer=2)")
    engine = InputOrder(metric.engine.encoder)  # type: ignore[attr-defined]
    lengths = [5, 1, 9] * 30
    assert [row for batch in engine.plan(lengths) for row in batch] == list(range(90))
    assert [len(batch) for batch in engine.plan(lengths)] == [64, 26]


def test_a_full_cache_needs_no_encoder(
    pairs: Pairs, tiny_model: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    metric = load_pairs_metric(f"bertscore(model={tiny_model('bert')}, layer=2)")
    *_, cached = engine_tricks(metric, pairs, tmp_path)
    monkeypatch.setattr(metric.engine.encoder, "run", None)  # type: ignore[attr-defined]
    cached.run()


def test_what_takes_no_padding_or_has_no_engine(pairs: Pairs, tmp_path: Path) -> None:
    embedded = load_pairs_metric("bertscore(model=nano)")
    assert [trick.name for trick in engine_tricks(embedded, pairs, tmp_path)] == [SORTED, CACHED]
    assert list(engine_tricks(load_pairs_metric("chrf"), pairs, tmp_path)) == []


def test_made_systems_share_references_and_have_the_same_words(pairs: Pairs) -> None:
    systems = made_systems(pairs, 5)
    assert len({one.system for one in systems}) == 5
    assert systems[0].candidates == pairs.candidates
    for one in systems:
        assert one.references is pairs.references
        assert [sorted(text.split()) for text in one.candidates] == [sorted(text.split()) for text in pairs.candidates]
    assert len({text for one in systems for text in one.candidates}) == 5 * len(pairs)
    assert made_systems(pairs, 5) == systems


def test_systems_are_scored_together(pairs: Pairs) -> None:
    metric = load_pairs_metric("chrf")
    assert (system_trick(metric, pairs, 1).name, system_trick(metric, pairs, 50).name) == ("1 system", "50 systems")
    assert system_trick(metric, pairs, 50).outputs == 50 * len(pairs)  # few segments: all of them
    many = Pairs(["a b"] * 400, [["a"]] * 400)
    assert [system_trick(metric, many, count).outputs for count in (1, 5, 50)] == [400, 400, 800]
