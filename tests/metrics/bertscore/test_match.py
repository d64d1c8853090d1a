"""The paper's rules for one row, on vectors written by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from farthing.align.greedy import f1
from farthing.encoders.protocol import EncodedText
from farthing.metrics.bertscore.match import Match, PaperRules
from farthing.metrics.tokens.encoded import EncodedRow
from farthing.text.idf import Idf


def text(ids: Sequence[int], *layers: Sequence[Sequence[float]]) -> EncodedText:
    """A text between two special tokens, whose vectors would match anything best."""
    special = [100.0, 100.0]
    states = {layer: np.array([special, *rows, special], dtype=np.float32) for layer, rows in enumerate(layers)}
    return EncodedText(np.array([0, *ids, 0]), slice(1, len(ids) + 1), states)


X, Y, XY = [1.0, 0.0], [0.0, 2.0], [3.0, 3.0]


def test_special_tokens_do_not_match() -> None:
    match = PaperRules([0], None).pair(text([1, 2], [X, Y]), text([3], [X]))
    assert match.values == pytest.approx(np.array([[0.5, 1.0, f1(0.5, 1.0)]]))


def test_idf_weighs_and_weights_of_zero_become_equal() -> None:
    candidate, reference = text([1, 2], [X, Y]), text([3], [X])
    idf = Idf(3, {1: 0, 2: 3, 3: 1})  # token 2 weighs nothing
    assert PaperRules([0], idf).pair(candidate, reference).values[0, 0] == pytest.approx(1)
    flat = PaperRules([0], Idf(1, {1: 1, 2: 1, 3: 1})).pair(candidate, reference)
    assert flat.values[0, 0] == pytest.approx(0.5)
    assert flat.remarks == {"idf"}
    assert [note.rows for note in PaperRules([0], None).notes([Match(flat.values), flat])] == [(1,)]


def test_the_best_reference_is_chosen_layer_by_layer() -> None:
    candidate = text([1], [X], [Y])
    row = EncodedRow(candidate, (text([2], [X], [X]), text([3], [Y], [XY])))
    match = PaperRules([0, 1], None).row(row)
    assert match.values[:, 2] == pytest.approx([1, 0.5**0.5])


def test_empty_texts_have_fixed_values_that_no_baseline_moves() -> None:
    rules, nothing, something = PaperRules([0], None), text([], []), text([1], [X])
    rows = [rules.pair(*pair) for pair in ((nothing, nothing), (nothing, something), (something, something))]
    assert [row.fixed for row in rows] == [True, True, False]
    values = rules.finished(rows, np.array([[0.5, 0.5, 0.5]]))
    assert values[0, :, 2] == pytest.approx([1, 0, 1])
    worse = Match(np.array([[0.5, 0.75, 0.6]]))
    assert rules.finished([worse], np.array([[0.5, 0.5, 0.2]]))[0, 0] == pytest.approx([0, 0.5, 0.5])
