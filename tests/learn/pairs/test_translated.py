"""Pairs in many languages, whose teachers are asked about the English ones."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import FarthingError
from farthing.learn.pairs.base import TrainingPair
from farthing.learn.pairs.drawn import told_of
from farthing.learn.pairs.translated import TranslatedPairs

ROWS = [
    {"premise": {"de": "d1", "en": "e1", "zh": "z1"}, "hypothesis": {"de": "d2", "en": "e2", "zh": "z2"}, "id": 1},
    {"premise": None, "hypothesis": {"de": "d3", "en": "e3", "fr": "f3"}, "id": 2},
    {"premise": {"de": "d4", "zh": "z4"}, "hypothesis": {"de": "d5", "en": "e5"}, "id": 3},  # no English premise
]


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return str(path)


def pairs_of(source: TranslatedPairs) -> list[TrainingPair]:
    return list(islice(source.pairs(np.random.default_rng(5)), 200))


def test_both_texts_are_in_one_language_and_teachers_are_asked_about_the_same_texts_in_english(file: str) -> None:
    pairs = pairs_of(TranslatedPairs(file=file))
    for pair in pairs:
        assert pair.candidate[0] == pair.reference[0] != "e"
        assert told_of([pair]) == [(f"e{pair.candidate[1]}", f"e{pair.reference[1]}")]
    assert {(pair.candidate, pair.reference) for pair in pairs} == {
        ("d1", "d2"), ("d2", "d1"), ("z1", "z2"), ("z2", "z1"),
        ("d1", "d3"), ("d3", "d1"),  # an empty premise is that of the row before
    }  # fmt: skip
    assert {pair.generator for pair in pairs} == {"de", "zh"}


def test_another_language_that_teachers_read(file: str) -> None:
    pairs = pairs_of(TranslatedPairs(file=file, read="de"))
    assert {pair.candidate[0] for pair in pairs} == {"e", "z"}
    assert all(first[0] == second[0] == "d" for first, second in told_of(pairs))


def test_rows_without_two_such_texts_are_a_sentence(file: str) -> None:
    with pytest.raises(FarthingError, match="no row has two texts in 'sw' and in another language"):
        pairs_of(TranslatedPairs(file=file, read="sw"))
