"""Segments that a model reconstructs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import ModelError, UsageError
from farthing.learn.pairs.base import TrainingPair
from farthing.learn.pairs.denoising import segments
from farthing.learn.pairs.sources import make_source

Draw = Callable[..., list[TrainingPair]]


def test_denoising_by_a_seq2seq_model(corpus_file: Path, seq2seq: Path, corpus: list[str], pairs_of: Draw) -> None:
    pairs = pairs_of("denoising", 4, corpus=str(corpus_file), model=str(seq2seq), longest=30)
    joined = " ".join(corpus * 2)
    assert all(pair.reference in joined and pair.reference_generator == "given" for pair in pairs)
    assert all(pair.generator == seq2seq.name for pair in pairs)


def test_denoising_by_a_masked_model_keeps_the_length(
    corpus_file: Path, make_bert: Callable[..., Path], pairs_of: Draw
) -> None:
    model = make_bert("BertForMaskedLM")
    for pair in pairs_of("denoising", 4, corpus=str(corpus_file), model=str(model), kind="masked", longest=20):
        assert "[MASK]" not in pair.candidate
        assert pair.candidate != pair.reference or len(pair.reference.split()) < 3


def test_a_model_without_a_mask_cannot_denoise(corpus_file: Path, encoder: Path, pairs_of: Draw) -> None:
    with pytest.raises(ModelError):
        pairs_of("denoising", 1, corpus=str(corpus_file), model=str(encoder))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"shortest": 5, "longest": 4}, "at most longest"),
        ({"share": 1.0}, "share must lie between"),
        ({"random_share": 2.0}, "random_share from 0 to 1"),
    ],
)
def test_impossible_noise(options: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        make_source("denoising", {"corpus": "x", "model": "y", **options})


def test_segments_run_on_into_the_next_texts() -> None:
    texts = [["a", "b"], ["c"], ["d", "e"]]
    ring = "abcde" * 3
    for start, words in islice(segments(texts, 2, 4, np.random.default_rng(0)), 50):
        assert 2 <= len(words) <= 4
        assert ring[ring.index(texts[start][0]) :].startswith("".join(words))
    short = islice(segments([["a"]], 3, 9, np.random.default_rng(0)), 5)
    assert [words for _, words in short] == [["a"]] * 5  # never longer than the corpus
