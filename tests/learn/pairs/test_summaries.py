"""All pairs of several summaries of each document."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from farthing.core.errors import InputError, UnknownName
from farthing.learn.pairs.base import TrainingPair

Draw = Callable[..., list[TrainingPair]]


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    # lead takes the first two, the graph those that share words, frequency those full of the frequent word
    text = "Nobody came early. Then somebody called. Water water water. Green apples grow here. "
    text += "Green apples grow there. Water."
    rows = [{"document": f"{text} Number {n} won.", "summary": f"A call and water {n}."} for n in range(3)]
    path = tmp_path / "documents.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def test_five_summaries_give_ten_pairs(documents: Path, seq2seq: Path, pairs_of: Draw) -> None:
    options = {"human": "summary", "models": [str(seq2seq)], "sentences": 2, "longest": 12}
    pairs = pairs_of("summaries", corpus=str(documents), **options)
    assert len(pairs) == 3 * 10
    made = {pair.generator for pair in pairs} | {pair.reference_generator for pair in pairs}
    assert made == {"human", "lead", "graph", "frequency", seq2seq.name}
    assert len({pair.document for pair in pairs}) == 3


def test_wrong_columns_and_extractors(documents: Path, pairs_of: Draw) -> None:
    with pytest.raises(InputError, match="no human summary in the column 'abstract'"):
        pairs_of("summaries", corpus=str(documents), human="abstract")
    with pytest.raises(UnknownName, match="did you mean 'lead'"):
        pairs_of("summaries", corpus=str(documents), extractors=["leed"])
