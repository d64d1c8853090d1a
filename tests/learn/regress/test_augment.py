"""Synthetic rows: which there are, and what they are worth."""

from __future__ import annotations

import numpy as np
import pytest

from farthing.core.errors import UsageError
from farthing.learn.regress.augment import KINDS, Damaged, augmented, lowered, twins
from farthing.learn.regress.rows import ScoredRows


@pytest.fixture
def plain() -> ScoredRows:
    random = np.random.default_rng(3)
    texts = [(f"the cat number {n} sat on a mat, today.", f"a cat, number {n}, sat there today.") for n in range(200)]
    return ScoredRows(texts, random.normal(size=200))


def test_rows_stay_and_synthetic_ones_follow(plain: ScoredRows) -> None:
    more = augmented(plain, ("reference",), share=0.8)
    assert more.texts[:200] == plain.texts
    assert 150 <= len(more) - 200 <= 160
    assert augmented(plain, ("reference",), share=0.8).texts == more.texts  # the same seed, the same rows
    with pytest.raises(UsageError, match="must be above 0"):
        augmented(plain, ("reference",), share=0)


def test_copies_are_the_highest_and_empty_outputs_the_lowest(plain: ScoredRows) -> None:
    more = augmented(plain, ("reference",), share=2.0)
    low, high = np.quantile(plain.targets, [0.01, 0.99])
    synthetic = list(zip(more.texts[200:], more.targets[200:], strict=True))
    copies = [target for (text, reference), target in synthetic if text == reference]
    assert copies
    assert set(copies) == {high}
    empty = [target for (text, _), target in synthetic if not text]
    assert empty
    assert max(empty) <= low
    assert all(target <= high for _, target in synthetic)


def test_punctuation_is_damaged_more_often(plain: ScoredRows) -> None:
    more = augmented(plain, ("reference",), share=5.0)
    plainly = {text.replace(",", "").replace(".", "") for row in plain.texts for text in row}
    bare = sum(text in plainly or f"{text}." in {one for row in plain.texts for one in row} for text, _ in more.texts)
    empty = sum(not text for text, _ in more.texts)
    assert bare / empty == pytest.approx(2, rel=0.1)


def test_without_references_nothing_is_a_copy(plain: ScoredRows) -> None:
    more = augmented(plain, ("source",), share=2.0)
    assert all(text != source for text, source in more.texts[200:])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("target", [-3.0, 0.0, 2.0])
def test_no_damage_is_a_gain(kind: str, target: float) -> None:
    assert lowered(Damaged(kind, "", 0.5), target, low=-2.0, high=2.0) <= target


@pytest.mark.parametrize("kind", KINDS)
def test_twins_differ_from_their_texts(kind: str, plain: ScoredRows) -> None:
    texts = [row[0] for row in plain.texts]
    found = list(twins(texts, kind))
    assert len(found) > 190
    assert all(text != texts[place] for place, text in found)
