"""Pairs of parallel texts, whole and damaged."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import FarthingError
from farthing.learn.pairs.base import TrainingPair
from farthing.learn.pairs.parallel import ParallelTexts

LANGUAGES = ("de", "en", "zh")


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "parallel.jsonl"
    rows = []
    for number in range(6):
        words = {
            "de": f"wort{number} ist das hier nun",
            "en": f"word{number} is this here now",
            "zh": f"{number}这就是现在的词",
        }
        rows.append({"premise": words, "genre": "fiction"})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def drawn(source: ParallelTexts, count: int = 60) -> list[TrainingPair]:
    return list(islice(source.pairs(np.random.default_rng(3)), count))


def language(text: str) -> str:
    return "zh" if not text.isascii() else "de" if "wort" in text or "ist" in text else "en"


def number(text: str) -> str:
    return next(letter for letter in text if letter.isdigit())


def test_a_translation_is_the_same_text_in_another_language(file: str) -> None:
    for pair in drawn(ParallelTexts(file=file, across=True)):
        assert number(pair.candidate) == number(pair.reference)
        assert language(pair.candidate) != language(pair.reference)


def test_an_unrelated_output_is_another_text_of_the_right_language(file: str) -> None:
    for pair in drawn(ParallelTexts(file=file, damage="unrelated")):
        assert number(pair.candidate) != number(pair.reference)
        assert language(pair.candidate) == language(pair.reference)


def test_a_copied_source_and_a_wrong_language(file: str) -> None:
    assert all(
        pair.candidate == pair.reference for pair in drawn(ParallelTexts(file=file, across=True, damage="copied"))
    )
    for pair in drawn(ParallelTexts(file=file, damage="language")):
        assert number(pair.candidate) == number(pair.reference)
        assert language(pair.candidate) != language(pair.reference)


def test_cut_and_repeated_texts(file: str) -> None:
    for pair in drawn(ParallelTexts(file=file, damage="cut")):
        assert pair.reference.startswith(pair.candidate)
        assert 0 < len(pair.candidate) < len(pair.reference)
    for pair in drawn(ParallelTexts(file=file, damage="repeated")):
        assert len(pair.candidate) > len(pair.reference)
        assert set(pair.candidate) == set(pair.reference)


def test_the_same_seed_draws_the_same(file: str) -> None:
    assert drawn(ParallelTexts(file=file, damage="cut")) == drawn(ParallelTexts(file=file, damage="cut"))


@pytest.mark.parametrize(
    "options",
    [{"damage": "copied"}, {"damage": "left"}, {"damage": "none"}, {"damage": "language", "across": True}],
    ids=str,
)
def test_damage_that_makes_no_sense(file: str, options: dict[str, object]) -> None:
    with pytest.raises(FarthingError, match="is not for pairs of"):
        ParallelTexts(file=file, **options)  # type: ignore[arg-type]


def test_a_file_without_parallel_texts(tmp_path: Path) -> None:
    path = tmp_path / "plain.jsonl"
    path.write_text('{"text": "a"}\n{"text": "b"}\n')
    with pytest.raises(FarthingError, match="too few parallel texts"):
        next(ParallelTexts(file=str(path), across=True).pairs(np.random.default_rng(1)))


def test_a_source_left_as_it_was_lacks_one_unit(file: str) -> None:
    for pair in drawn(ParallelTexts(file=file, across=True, damage="left")):
        spaced = language(pair.reference) != "zh"
        less, whole = (text.split() if spaced else list(text) for text in (pair.candidate, pair.reference))
        assert len(less) == len(whole) - 1
        assert set(less) <= set(whole)


def test_exchanged_units_are_the_same_in_another_order(file: str) -> None:
    for pair in drawn(ParallelTexts(file=file, damage="exchanged")):
        assert sorted(pair.candidate) == sorted(pair.reference)
        assert pair.candidate != pair.reference


def test_only_one_split_is_read(tmp_path: Path) -> None:
    rows = [{"premise": {"de": f"{n} das", "en": f"{n} this"}, "split": "dev" if n < 3 else "test"} for n in range(6)]
    path = tmp_path / "split.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    pairs = drawn(ParallelTexts(file=str(path), across=True, split="dev"))
    assert {number(pair.reference) for pair in pairs} == {"0", "1", "2"}
