"""Texts against changed copies of themselves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from farthing.core.errors import UnknownName, UsageError
from farthing.learn.pairs.base import TrainingPair
from farthing.learn.pairs.sources import make_source

Draw = Callable[..., list[TrainingPair]]


def test_perturbations_are_named_and_repeatable(corpus_file: Path, pairs_of: Draw) -> None:
    options = {"corpus": str(corpus_file), "variants": 2}
    pairs = pairs_of("perturbation", 300, **options)
    assert pairs == pairs_of("perturbation", 300, **options) != pairs_of("perturbation", 300, seed=1, **options)
    names = {name for pair in pairs for name in f"{pair.generator}+{pair.reference_generator}".split("+")}
    assert {"given", "drop", "swap", "repeat", "typo"} <= names
    assert all(pair.candidate != pair.reference for pair in pairs)


def test_a_copy_has_at_most_so_many_changes(corpus_file: Path, pairs_of: Draw) -> None:
    options = {"corpus": str(corpus_file), "variants": 1, "changes": ["drop", "repeat"]}
    counts = [
        max(pair.generator.count("+"), pair.reference_generator.count("+")) + 1
        for pair in pairs_of("perturbation", 200, most_changes=3, **options)
    ]
    assert set(counts) == {1, 2, 3}


def test_wrong_options(corpus_file: Path) -> None:
    with pytest.raises(UnknownName, match="typo"):
        make_source("perturbation", {"corpus": str(corpus_file), "changes": ["typpo"]})
    with pytest.raises(UsageError, match="most_changes must be at least 1"):
        make_source("perturbation", {"corpus": str(corpus_file), "most_changes": 0})


def test_one_sentence_is_enough_to_be_perturbed(tmp_path: Path, pairs_of: Draw) -> None:
    path = tmp_path / "one.txt"
    path.write_text("The old man saw 3 birds near the river.\n")
    assert pairs_of("perturbation", corpus=str(path))
