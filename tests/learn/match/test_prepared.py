"""Pairs ready for batches: who owns them, what is known of their words, and an order that changes nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.learn.data.examples import Examples
from farthing.learn.match.model import Judge, TextBatch
from farthing.learn.match.panel import Assignment
from farthing.learn.match.prepared import AT_A_TIME, Lesson, Prepared, over
from farthing.learn.match.tokens import StaticTokens


def prepared(encoder: Path, candidates: list[str], references: list[str]) -> Prepared:
    return Prepared(Tokenizer(encoder), candidates, references)


def lesson(encoder: Path, wrong: list[list[tuple[int, int]] | None] | None) -> Lesson:
    pairs = Examples(["w1 w2", "w1 w2 w3"], ["w1", "w1"], np.zeros(2), np.ones(2), ["one", "one"], wrong)
    return Lesson(Assignment("reference", pairs), Judge(StaticTokens(44, width=4), hidden=2), Tokenizer(encoder))


def test_pairs_of_one_reference_have_one_owner(encoder: Path) -> None:
    owners = prepared(encoder, ["w1", "w2", "w3"], ["w4", "w5", "w4"]).owners.tolist()
    assert owners[0] == owners[2] != owners[1]


def test_lengths_count_both_texts_with_their_special_tokens(encoder: Path) -> None:
    assert prepared(encoder, ["w1 w2", "w1"], ["w3", "w3"]).lengths == [4 + 3, 3 + 3]


def test_a_batch_has_the_ids_of_its_rows_in_their_order(encoder: Path) -> None:
    batch = prepared(encoder, ["w1", "w2", "w3"], ["w4", "w5", "w6"]).batch([2, 0])
    assert [row[1] - 4 for row in batch.candidates.ids.tolist()] == [3, 1]
    assert [row[1] - 4 for row in batch.references.ids.tolist()] == [6, 4]


def test_rows_come_back_in_their_order_whatever_their_lengths(encoder: Path) -> None:
    sizes = np.random.default_rng(1).integers(1, 9, 3 * AT_A_TIME).tolist()
    some = prepared(encoder, [" ".join(["w1"] * size) for size in sizes], ["w2"] * len(sizes))

    def size(candidates: TextBatch, *_: object) -> torch.Tensor:
        counts = candidates.body.sum(dim=1)
        return counts if candidates.places is None else counts[candidates.places]

    rows = list(range(len(sizes)))[::-1]
    assert over(some, rows, size).tolist() == [sizes[row] for row in rows]


def test_marks_lie_on_the_tokens_of_their_words_and_are_unknown_elsewhere(encoder: Path) -> None:
    wrong = lesson(encoder, [[(3, 5)], None]).batch([0, 1]).wrong
    assert wrong is not None
    known = [[None if np.isnan(one) else one for one in row] for row in wrong.tolist()]
    assert known == [[None, 0.0, 1.0, None, None], [None] * 5]


def test_a_batch_of_which_nothing_is_marked_has_no_marks(encoder: Path) -> None:
    assert lesson(encoder, [[(3, 5)], None]).batch([1]).wrong is None
    assert lesson(encoder, None).batch([0, 1]).wrong is None


def test_only_differences_count_within_segments(encoder: Path) -> None:
    assert lesson(encoder, None).batch([0, 1]).centred
    plain = Examples(["w1"], ["w2"], np.zeros(1), np.ones(1))
    judge = Judge(StaticTokens(44, width=4), hidden=2)
    assert not Lesson(Assignment("reference", plain), judge, Tokenizer(encoder)).batch([0]).centred
