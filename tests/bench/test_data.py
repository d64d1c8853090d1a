"""Data: what is read, and one sentence for everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from farthing.bench.data import data_name, read_bench_data
from farthing.core.errors import InputError
from farthing.meta.read.human import HumanColumns

Write = Callable[..., str]


def refused(path: str, *human: str) -> str:
    with pytest.raises(InputError) as caught:
        read_bench_data(path, HumanColumns(scores=human))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_texts_scores_and_groups(judged_file: Write) -> None:
    found = read_bench_data(judged_file(), HumanColumns(), groups=["de-en"])
    assert (found.name, len(found), found.human, found.notes) == ("judged", 3, "score", ())
    assert found.judgements.judged("score").tolist() == [90, 80, 70]


def test_a_limit_spreads_the_rows(judged_file: Write) -> None:
    found = read_bench_data(judged_file(), HumanColumns(), limit=3)
    assert found.judgements.judged("score").tolist() == [90, 70, 40]


def test_a_missing_column(judged_file: Write) -> None:
    assert "no column 'fluency'" in refused(judged_file(), "fluency")


def test_a_score_that_is_no_number(judged_file: Write) -> None:
    path = judged_file(changes={1: {"score": float("nan")}, 4: {"score": None}})
    assert "row 2 has no number in the column 'score' (2 such rows)" in refused(path)
    assert read_bench_data(path, HumanColumns(scores=("none",))).human is None


def test_scores_that_are_all_the_same(judged_file: Write) -> None:
    path = judged_file(changes={place: {"score": 5} for place in range(6)})
    assert "all scores in the column 'score' are 5" in refused(path)


def test_an_empty_text_is_noted(judged_file: Write) -> None:
    path = judged_file(changes={0: {"candidate": " "}})
    assert read_bench_data(path, HumanColumns()).notes == (f"{path}: 1 candidate has no text",)


def test_texts_without_human_scores(tmp_path: Path) -> None:
    path = tmp_path / "plain.jsonl"
    path.write_text('{"candidate": "a", "reference": "b"}\n')
    found = read_bench_data(str(path), HumanColumns())
    assert found.human is None
    assert "no column of human scores" in found.notes[0]


def test_names() -> None:
    assert data_name("/data/wmt16.de-en.tsv.gz") == "wmt16"
