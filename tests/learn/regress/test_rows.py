"""Scored rows as tokens and batches."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.learn.data.humans import Judged
from farthing.learn.regress.rows import ScoredRows, TokenRows


def test_there_is_one_row_per_reference(rows: Judged) -> None:
    data = Judged("two", ["a", "b"], [["c", "d"], ["e"]], np.array([1.0, 2.0]), ["", ""], sources=["s", "t"])
    both = ScoredRows.judged(data, ("reference", "source"))
    assert both.texts == [("a", "c", "s"), ("a", "d", "s"), ("b", "e", "t")]
    assert both.targets.tolist() == [1, 1, 2]
    assert ScoredRows.judged(data, ("source",)).texts == [("a", "s"), ("b", "t")]
    assert len(ScoredRows.joined([both, both])) == 6


def test_a_text_that_rows_share_is_encoded_once(encoder: Path) -> None:
    shared = ScoredRows([("the cat", "a dog"), ("a dog", "a dog"), ("the cat", "the cat")], np.array([0.0, 1.0, 2.0]))
    tokens = TokenRows(encoder, shared, 64)
    batch = tokens.batch([0, 1, 2])
    assert len(tokens.contents) == len(batch.ids) == 2
    tokenizer = Tokenizer(encoder)
    for row, texts in enumerate(shared.texts):
        for column, text in enumerate(texts):
            place = int(batch.places[row, column])
            ids = batch.ids[place][batch.mask[place].bool()].tolist()
            assert ids == tokenizer.wrapped(tokenizer.contents([text])[0])
    assert batch.targets.tolist() == [0, 1, 2]
    assert len(tokens.batch([1]).ids) == 1


def test_targets_keep_their_precision(encoder: Path) -> None:
    exact = np.array([71.234567, -0.1234567])
    tokens = TokenRows(encoder, ScoredRows([("cat", "dog"), ("dog", "cat")], exact), 64)
    assert np.abs(tokens.targets - exact).max() < 1e-5  # halves would be off by .02


def test_long_texts_are_cut(encoder: Path) -> None:
    tokens = TokenRows(encoder, ScoredRows([("the cat saw one dog and two birds", "dog")], np.zeros(1)), 5)
    assert tokens.lengths.tolist() == [5]


def test_outputs_of_one_reference_share_a_batch(encoder: Path) -> None:
    texts = [(f"the cat saw {name}", f"a dog saw {place}") for place in range(12) for name in "abcd"]
    tokens = TokenRows(encoder, ScoredRows(texts, np.zeros(len(texts))), 64)
    batches = tokens.batches(8, seed=1, epoch=0)
    assert sorted(row for batch in batches for row in batch) == list(range(len(texts)))
    assert {len({texts[row][1] for row in batch}) for batch in batches} == {2}
    assert batches != tokens.batches(8, seed=1, epoch=1)
