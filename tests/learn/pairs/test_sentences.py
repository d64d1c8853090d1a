"""Pairs that are drawn sentence by sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import InputError
from farthing.learn.pairs.base import TrainingPair
from farthing.learn.pairs.sentences import CHANGES, replace_words

Draw = Callable[..., list[TrainingPair]]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.tsv"
    path.write_text("".join(f"news\tthe {n} cats are on their mat with {n} dogs\n" for n in range(30)))
    return path


def test_every_change_occurs_and_starts_from_the_reference(corpus: Path, pairs_of: Draw) -> None:
    pairs = pairs_of("perturbed", 500, file=str(corpus))
    assert set(Counter(pair.generator for pair in pairs)) == {*CHANGES, "replace"}
    sentences = [line.partition("\t")[2] for line in corpus.read_text().splitlines()]
    assert all(pair.reference == sentences[int(pair.document) - 1] for pair in pairs)
    assert all(pair.candidate != pair.reference for pair in pairs)


def test_unrelated_sentences_stand_at_different_places(corpus: Path, pairs_of: Draw) -> None:
    pairs = pairs_of("unrelated", 100, file=str(corpus))
    assert all(len(set(pair.document.split("+"))) == 2 for pair in pairs)
    assert all(pair.candidate != pair.reference for pair in pairs)


def test_equal_sentences(corpus: Path, pairs_of: Draw) -> None:
    assert all(pair.candidate == pair.reference for pair in pairs_of("equal", 50, file=str(corpus)))


@pytest.mark.parametrize("name", ["perturbed", "unrelated", "equal"])
def test_an_empty_corpus_is_an_error(tmp_path: Path, name: str, pairs_of: Draw) -> None:
    path = tmp_path / "empty.txt"
    path.write_text("\n")
    with pytest.raises(InputError, match="too few sentences"):
        pairs_of(name, 1, file=str(path))


def test_replaced_words_come_from_the_pool() -> None:
    changed = replace_words("a b c d e", np.random.default_rng(1), ["x"])
    assert changed is not None
    assert changed.split().count("x") == 1
    assert replace_words(" ", np.random.default_rng(1), ["x"]) is None
