"""Pieces of a request, and what becomes of their scores."""

from __future__ import annotations

import pytest

from farthing.core.registry import load_pairs_metric
from farthing.core.types import Pairs
from farthing.scoring.engine import Ready, StretchScores, score_stretch
from farthing.service.work import CallWork, ScoringWork

PAIRS = Pairs([f"the cat {number}" for number in range(9)], [[f"a cat {number}"] for number in range(9)])


def metrics(*names: str) -> list[Ready]:
    return [Ready(name, load_pairs_metric(name)) for name in names]


def test_rows_are_cut_by_tokens_and_joined_again() -> None:
    told: list[tuple[int, StretchScores]] = []
    work = ScoringWork(
        lambda: metrics("bleu", "chrf"), [PAIRS, PAIRS], 80, lambda row, found: told.append((row, found))
    )
    assert len(work.pieces) > 2
    assert work.tokens == sum(piece.tokens for piece in work.pieces)
    work.prepare()
    while work.pieces:
        piece = work.pieces.popleft()
        work.take(piece, score_stretch([ready.metric for ready in work.ready], work.stretch(piece)))
    found = work.answer.result(0)
    for place, name in enumerate(("bleu", "chrf")):
        whole = load_pairs_metric(name).score(PAIRS)
        assert [scores.corpus for scores in found[place]] == pytest.approx([whole.corpus] * 2)
        assert found[place][0].segments == pytest.approx(whole.segments)
    assert told[0][0] == 0
    assert work.over


def test_a_row_larger_than_a_window_is_a_piece_of_its_own() -> None:
    work = ScoringWork(list, [Pairs(["x" * 1000, "y"], [["z"], ["z"]])], 8)
    assert [(piece.start, piece.stop) for piece in work.pieces] == [(0, 1), (1, 2)]


def test_who_has_cancelled_hears_nothing() -> None:
    told: list[int] = []
    work = ScoringWork(lambda: metrics("chrf"), [PAIRS], 10_000, lambda row, found: told.append(row))
    work.prepare()
    work.answer.cancel()
    piece = work.pieces.popleft()
    work.take(piece, score_stretch([work.ready[0].metric], work.stretch(piece)))
    work.fail(ValueError())
    assert told == []
    assert work.answer.cancelled()


def test_a_call() -> None:
    work = CallWork(lambda: 7, 3)
    assert work.tokens == 3
    work.run()
    assert work.answer.result(0) == 7
    assert work.tokens == 0
    failed = CallWork(lambda: 7, 3)
    failed.fail(ValueError("no"))
    assert isinstance(failed.answer.exception(0), ValueError)
