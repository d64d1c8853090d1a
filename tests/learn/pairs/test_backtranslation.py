"""Round trips through other languages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from farthing.core.errors import UsageError
from farthing.language.seq2seq import Seq2Seq
from farthing.learn.pairs.base import TrainingPair
from farthing.learn.pairs.sources import make_source

Draw = Callable[..., list[TrainingPair]]


def test_pivots_give_all_pairs_of_variants(
    corpus_file: Path, seq2seq: Path, tmp_path: Path, pairs_of: Draw
) -> None:  # fmt: skip
    cache = tmp_path / "kept.sqlite"
    options = {"corpus": str(corpus_file), "pivots": [[str(seq2seq)] * 2], "longest": 8, "cache": str(cache)}
    pairs = pairs_of("backtranslation", 5, **options)
    assert len(pairs) == 5
    assert cache.stat().st_size > 0
    assert pairs == pairs_of("backtranslation", 5, **options)  # from the cache, and by the same seed
    assert {pair.generator for pair in pairs} <= {"given", f"{seq2seq.name}+{seq2seq.name}"}


def test_pivots_must_be_pairs(corpus_file: Path) -> None:
    with pytest.raises(UsageError, match="pairs of models"):
        make_source("backtranslation", {"corpus": str(corpus_file), "pivots": [["one"]]})


def test_answers_do_not_depend_on_batch_mates(seq2seq: Path, corpus: list[str]) -> None:
    model = Seq2Seq(str(seq2seq), longest=10)
    together = model.generate(corpus[:20])
    assert together == [model.generate([text])[0] for text in corpus[:20]]
    assert len(set(together)) > 1
