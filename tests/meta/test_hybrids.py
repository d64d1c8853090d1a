"""Hybrid systems: against hybrids put together one by one, and against sacrebleu on their texts."""

from __future__ import annotations

import numpy as np
import pytest

from farthing.core.errors import UsageError
from farthing.meta.correlation import Undefined
from farthing.meta.hybrids import Picks, hybrid_aggregates, hybrid_scores


def everything(systems: int, segments: int) -> np.ndarray:
    return np.ones((systems, segments), dtype=bool)


def test_scores_are_the_means_of_the_picks() -> None:
    random = np.random.default_rng(0)
    scores = random.normal(size=(4, 30))
    picks = Picks(everything(4, 30), count=50, seed=3)
    chosen = np.concatenate(list(picks.blocks()))
    expected = [np.mean([scores[system, segment] for segment, system in enumerate(row)]) for row in chosen]
    assert hybrid_scores(scores, picks) == pytest.approx(np.array(expected))


def test_missing_human_scores_do_not_count() -> None:
    scores = np.random.default_rng(0).normal(size=(3, 40))
    scores[0, ::2] = np.nan
    picks = Picks(everything(3, 40), count=20, seed=1)
    chosen = np.concatenate(list(picks.blocks()))
    expected = [np.nanmean(scores[row, np.arange(40)]) for row in chosen]
    assert hybrid_scores(scores, picks) == pytest.approx(np.array(expected))


def test_several_judges_at_one_go_equal_one_at_a_time() -> None:
    scores = np.random.default_rng(2).normal(size=(3, 25, 2))
    picks = Picks(everything(3, 25), count=30, seed=1)
    both = hybrid_scores(scores, picks)
    assert both[:, 1] == pytest.approx(hybrid_scores(scores[..., 1], picks))


def test_an_absent_output_is_never_picked_and_the_others_evenly() -> None:
    available = everything(3, 4)
    available[1, 2] = False
    chosen = np.concatenate(list(Picks(available, count=9000, seed=1).blocks()))
    shares = np.array([[np.mean(chosen[:, segment] == system) for segment in range(4)] for system in range(3)])
    expected = np.full((3, 4), 1 / 3)
    expected[:, 2] = [0.5, 0, 0.5]
    assert shares == pytest.approx(expected, abs=0.02)
    assert shares[1, 2] == 0


def test_blocks_do_not_change_the_picks(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = np.random.default_rng(2).normal(size=(5, 64))
    whole = hybrid_scores(scores, Picks(everything(5, 64), count=100, seed=9))
    monkeypatch.setattr("farthing.meta.hybrids._BLOCK", 64 * 7)
    assert hybrid_scores(scores, Picks(everything(5, 64), count=100, seed=9)) == pytest.approx(whole)


def test_sums_of_statistics_give_the_corpus_score_of_the_texts() -> None:
    from sacrebleu.metrics import BLEU

    from farthing.core.registry import load
    from farthing.core.types import Pairs

    references = ["the cat sat on the mat today", "a dog barked at the old postman", "we went home by the last train"]
    systems = [
        ["the cat sat on a mat today", "a dog barked at an old man", "we went home with a train"],
        ["cat on the mat today", "the dog barked at the old postman", "they went home by the last train"],
    ]
    metric = load("bleu")
    statistics = np.stack([metric.score(Pairs.of(texts, references)).statistics for texts in systems])
    picks = Picks(everything(2, 3), count=6, seed=2)
    found = hybrid_aggregates(statistics, metric.aggregate, picks)
    texts = [
        [systems[system][place] for place, system in enumerate(row)] for row in np.concatenate(list(picks.blocks()))
    ]
    assert found == pytest.approx([BLEU().corpus_score(hybrid, [references]).score for hybrid in texts])


def test_wrong_calls() -> None:
    with pytest.raises(UsageError, match="two systems"):
        Picks(everything(1, 5))
    with pytest.raises(UsageError, match="at least one hybrid"):
        Picks(everything(2, 5), count=0)
    with pytest.raises(UsageError, match="no output"):
        Picks(np.array([[True, False], [True, False]]))
    with pytest.raises(UsageError, match="pick from"):
        hybrid_scores(np.ones((2, 4)), Picks(everything(2, 5), count=3))
    with pytest.raises(Undefined, match="too few"):
        hybrid_scores(np.full((2, 5), np.nan), Picks(everything(2, 5), count=3))
