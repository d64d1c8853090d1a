"""Pairs that a file holds already."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from farthing.core.errors import InputError
from farthing.learn.pairs.base import TrainingPair

COLUMNS = ("candidate", "reference", "score", "split")
Draw = Callable[..., list[TrainingPair]]


def test_every_pair_comes_once_with_its_first_reference(tmp_path: Path, pairs_of: Draw) -> None:
    rows = [{"candidate": f"c{n}", "reference": [f"r{n}", "z"]} for n in range(6)]
    path = tmp_path / "g.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    pairs = pairs_of("given", file=str(path))
    assert sorted((pair.candidate, pair.reference) for pair in pairs) == [(f"c{n}", f"r{n}") for n in range(6)]
    path.write_text(json.dumps({"candidate": "c", "reference": []}))
    with pytest.raises(InputError, match=r"g\.jsonl:1: the row has no reference"):
        pairs_of("given", file=str(path))


def test_paraphrases_are_the_last_two_columns(tmp_path: Path, pairs_of: Draw) -> None:
    path = tmp_path / "p.tsv"
    path.write_text("tune\tone way\tanother way\ntest\tthis\tthat\n")
    pairs = pairs_of("paraphrases", file=str(path))
    assert sorted((pair.candidate, pair.reference) for pair in pairs) == [("one way", "another way"), ("this", "that")]
    path.write_text("a\tb\nc\n")
    with pytest.raises(InputError, match=":2: the line has one column"):
        pairs_of("paraphrases", file=str(path))


def test_only_high_scores_of_one_split_are_taken(tmp_path: Path, pairs_of: Draw) -> None:
    rows = [("a", "b", 5, "train"), ("c", "d", 4, "train"), ("e", "f", 5, "test"), ("f", "g", 5, "train")]
    path = tmp_path / "g.jsonl"
    path.write_text("\n".join(json.dumps(dict(zip(COLUMNS, row, strict=True))) for row in rows))
    found = {
        (least, split): sorted(pair.candidate for pair in pairs_of("given", file=str(path), least=least, split=split))
        for least in (None, 5)
        for split in (None, "train")
    }
    assert found == {
        (None, None): ["a", "c", "e", "f"], (5, None): ["a", "e", "f"],
        (None, "train"): ["a", "c"], (5, "train"): ["a"],
    }  # fmt: skip
    path.write_text(json.dumps({"candidate": "c", "reference": "r", "score": "high"}))
    with pytest.raises(InputError, match=r"g\.jsonl:1: the row has no number in the column 'score'"):
        pairs_of("given", file=str(path), least=1)
