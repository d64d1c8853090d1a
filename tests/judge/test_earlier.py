"""Earlier verdicts: what a table of another run says."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import FarthingError
from farthing.judge.earlier import read_earlier


def table(path: Path, rows: list[dict[str, object]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def rows(count: int = 4) -> list[dict[str, object]]:
    return [
        {
            "system": "ab"[place % 2],
            "candidate": f"text {place}",
            "reference": f"other {place // 2}",
            "score": 50 + place,
        }
        for place in range(count)
    ]


def test_segments_and_systems_are_numbered(tmp_path: Path) -> None:
    found = read_earlier(table(tmp_path / "a.jsonl", rows())).rated(np.arange(4.0), ["b", "c"])
    assert found.rows.segments.tolist() == [0, 0, 1, 1]
    assert found.rows.systems.tolist() == [2, 0, 2, 0]  # a is not judged now: it has a number of its own
    assert found.verdicts.tolist() == [50, 51, 52, 53]
    assert found.weights.tolist() == [1, 1, 1, 1]


def test_only_verdicts_of_a_run_count_and_each_for_the_rows_it_stands_for(tmp_path: Path) -> None:
    given = [
        {**row, "verdict": None if place == 1 else 7 + place, "probability": 0.25} for place, row in enumerate(rows(5))
    ]
    found = read_earlier(table(tmp_path / "a.jsonl", given))
    assert found.verdicts.tolist() == [7, 9, 10, 11]
    assert found.weights.tolist() == [4, 4, 4, 4]
    assert list(found.pairs.candidates) == ["text 0", "text 2", "text 3", "text 4"]


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"score": "good"}, "score is 'good'"),
        ({"probability": 0}, "probability is 0"),
        ({"score": None}, "2 verdicts, which are too few"),
    ],
)
def test_what_cannot_be_is_a_sentence(tmp_path: Path, changed: dict[str, object], sentence: str) -> None:
    path = table(tmp_path / "a.jsonl", [{**row, **changed} if place < 1 else row for place, row in enumerate(rows(3))])
    with pytest.raises(FarthingError, match=sentence):
        read_earlier(path)


def test_without_verdicts_or_rows_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(FarthingError, match="no column of verdicts"):
        read_earlier(table(tmp_path / "a.jsonl", [{"candidate": "a", "reference": "b"}]))
    with pytest.raises(FarthingError):
        read_earlier(table(tmp_path / "b.jsonl", []))
