"""Marks by Farthing's own students: real texts, through the metric's own door."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

import farthing
from farthing.core.explanation import LIKELY

TEXT = "  Naïve café: 我爱你! 👩‍👩‍👧 costs 3.50 €"
WORDS = ["Naïve", "café", ":", "我", "爱", "你", "!", "👩‍👩‍👧", "costs", "3", ".", "50", "€"]


@pytest.mark.parametrize("size", ["small", "tiny", "nano"])
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_offsets_are_exact(size: str, form: str) -> None:
    text = unicodedata.normalize(form, TEXT)  # type: ignore[arg-type]
    found = farthing.load("frugalscore", size=size).explain(text, ["A café in Paris", text])
    words = [text[mark["start"] : mark["end"]] for mark in found.errors]
    assert words == [unicodedata.normalize(form, word) for word in WORDS]  # type: ignore[arg-type]
    assert (found.counted, found.reference) == (1, text)
    assert all(0 <= mark["probability"] < LIKELY for mark in [*found.errors, *found.omissions])


@pytest.mark.parametrize("size", ["small", "tiny", "nano"])
def test_what_differs_is_likelier_wrong(size: str) -> None:
    metric = farthing.load("frugalscore", size=size)
    found = metric.explain("The old dog slept on the mat.", "The old cat slept on the mat by the door.")
    wrong = max(found.errors, key=lambda mark: mark["probability"])
    assert found.candidate[wrong["start"] : wrong["end"]] == "dog"
    missing = sorted(found.omissions, key=lambda mark: -mark["probability"])[:3]
    assert {found.reference[mark["start"] : mark["end"]] for mark in missing} & {"cat", "door", "by"}


def test_the_default_chooses_as_it_does_for_scores(with_every_size: Path) -> None:
    metric, source = farthing.load("frugalscore"), farthing.load("frugalscore(size=source)")
    english = metric.explain("The cat is black.", "The dog is black.")
    assert english == farthing.load("frugalscore(size=small)").explain("The cat is black.", ["The dog is black."])
    german = "Die Katze ist schwarz."
    across = metric.explain("The cat is black.", source=german)
    assert across == source.explain("The cat is black.", source=german)
    assert across == source.explain("The cat is black.", german)  # as align takes it
    assert (across.reference, across.counted) == (german, None)
    assert [german[mark["start"] : mark["end"]] for mark in across.omissions] == ["Die", "Katze", "ist", "schwarz", "."]


def test_what_cannot_be_explained_is_one_sentence() -> None:
    with pytest.raises(farthing.UsageError, match="chrf cannot say which words are wrong"):
        farthing.load("chrf").explain("a cat", "a dog")
    with pytest.raises(farthing.UsageError, match="impar cannot say which words are wrong"):
        farthing.load("impar(model=nano)").explain("a cat", "a dog")
    with pytest.raises(farthing.MissingInput, match="compares with references, and there are none"):
        farthing.load("frugalscore(size=nano)").explain("a cat")
    with pytest.raises(farthing.FarthingError, match="must be text"):
        farthing.load("frugalscore(size=nano)").explain(["a cat"], "a dog")  # type: ignore[arg-type]
