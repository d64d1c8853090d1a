"""Damaged sentences, and segments of a paraphrase and damaged texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from farthing.core.errors import FarthingError
from farthing.learn.pairs.base import TrainingPair
from farthing.learn.pairs.damaged import PARAPHRASE
from farthing.text.damage import DAMAGES

Draw = Callable[..., list[TrainingPair]]
ROWS = [
    ("He is reading 12 books in Lima.", "He reads 12 books in Lima.", 5.0, "train"),
    ("The dog chased 3 cats.", "3 cats were chased by the dog.", 4.6, "train"),
    ("She was here.", "She was there.", 2.0, "train"),
    ("They left the town.", "They went away from the town.", 4.8, "test"),
    ("They left the town.", "They have left town.", 4.9, "train"),
]


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "pairs.jsonl"
    rows = [{"candidate": a, "reference": b, "score": score, "split": split} for a, b, score, split in ROWS]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_a_sentence_is_damaged_in_the_way_that_is_wanted(tmp_path: Path, pairs_of: Draw) -> None:
    path = tmp_path / "corpus.tsv"
    path.write_text("news\tHe is 12 now.\nnews\tNothing.\n")
    pairs = pairs_of("damaged", 20, file=str(path), damage="numbers")
    assert {(pair.reference, pair.generator, pair.document) for pair in pairs} == {("He is 12 now.", "numbers", "1")}
    assert all(pair.candidate != "He is 12 now." and pair.candidate.endswith(" now.") for pair in pairs)
    both = pairs_of("damaged", 40, file=str(path), damage=["numbers", "agreement"])
    assert {pair.generator for pair in both} == {"numbers", "agreement"}
    assert {pair.generator for pair in pairs_of("damaged", 200, file=str(path))} <= set(DAMAGES)


def test_a_segment_has_one_paraphrase_and_damaged_texts(table: str, pairs_of: Draw) -> None:
    pairs = pairs_of("contrasts", file=table, least=4.5, split="train", damaged=3)
    segments: dict[str, list[TrainingPair]] = {}
    for pair in pairs:
        segments.setdefault(pair.document, []).append(pair)
    assert set(segments) == {"1", "1r", "2", "2r"}  # the low pair and the pair with a text of the test split are gone
    for name, own in segments.items():
        first, second, *_ = ROWS[int(name[0]) - 1]
        paraphrase, reference = (second, first) if name.endswith("r") else (first, second)
        assert [pair.generator for pair in own].count(PARAPHRASE) == 1
        assert (own[0].candidate, own[0].generator) == (paraphrase, PARAPHRASE)
        assert {pair.reference for pair in own} == {reference}
        assert len(own) == 4
        assert len({pair.generator for pair in own}) == 4
    assert pairs == pairs_of("contrasts", file=table, least=4.5, split="train", damaged=3)


def test_a_paraphrase_can_be_damaged_instead(table: str, pairs_of: Draw) -> None:
    options = {"file": table, "least": 4.5, "split": "train", "damage": "numbers"}
    for pair in pairs_of("contrasts", **options, paraphrased=1.0):
        if pair.generator == "numbers":
            assert len(pair.candidate.split()) != len(pair.reference.split())
    for pair in pairs_of("contrasts", **options):
        if pair.generator == "numbers":
            assert len(pair.candidate.split()) == len(pair.reference.split())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"damage": "numberz"}, "did you mean|numbers"),
        ({"damaged": 0}, "at least 1"),
        ({"paraphrased": 2.0}, "a share"),
    ],
)
def test_wrong_options(table: str, pairs_of: Draw, options: dict[str, object], words: str) -> None:
    with pytest.raises(FarthingError, match=words):
        pairs_of("contrasts", file=table, **options)
