"""Texts that belong together already."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from farthing.core.errors import InputError
from farthing.learn.pairs.base import TrainingPair

Draw = Callable[..., list[TrainingPair]]


def test_groups_of_given_texts(tmp_path: Path, pairs_of: Draw) -> None:
    path = tmp_path / "groups.jsonl"
    rows = [{"id": "x", "texts": {"a": "1 2", "b": "1 3", "c": "1 2"}}, {"texts": ["p", "q", None, "r"]}]
    path.write_text("\n".join(map(json.dumps, rows)))
    pairs = pairs_of("outputs", file=str(path))
    assert len(pairs) == 1 + 3  # equal texts count once, missing ones not at all
    assert {pair.document for pair in pairs} == {"x", "2"}
    assert len(pairs_of("outputs", file=str(path), variants=2)) <= 2


@pytest.mark.parametrize("content", ['{"texts": "no list"}', '{"texts": [1, 2]}', '{"other": ["a", "b"]}'])
def test_rows_that_are_no_group(tmp_path: Path, content: str, pairs_of: Draw) -> None:
    path = tmp_path / "groups.jsonl"
    path.write_text(content)
    with pytest.raises(InputError, match=":1: the column 'texts'"):
        pairs_of("outputs", file=str(path))
