"""Pairs of unrelated texts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from farthing.core.errors import InputError
from farthing.learn.pairs.base import TrainingPair

Draw = Callable[..., list[TrainingPair]]


def test_random_pairs_use_a_text_once(corpus_file: Path, corpus: list[str], pairs_of: Draw) -> None:
    pairs = pairs_of("random", corpus=str(corpus_file))
    used = [text for pair in pairs for text in (pair.candidate, pair.reference)]
    assert len(pairs) >= len(corpus) // 2 - 5
    assert len(used) <= len(corpus)
    assert all(pair.candidate != pair.reference for pair in pairs)


@pytest.mark.parametrize(("content", "words"), [("", "empty"), ("\n\n", "no text"), ("only one\n", "only one text")])
def test_poor_corpora(tmp_path: Path, content: str, words: str, pairs_of: Draw) -> None:
    path = tmp_path / "poor.txt"
    path.write_text(content)
    with pytest.raises(InputError, match=words):
        pairs_of("random", corpus=str(path))
