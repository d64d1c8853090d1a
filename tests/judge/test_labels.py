"""Labels find their rows."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import FarthingError
from farthing.core.types import Pairs
from farthing.judge.labels import JoinedLabels, joined_labels, read_labels

SYSTEMS = [
    Pairs(["same", "a2", "a3"], [["r1"], ["r2"], ["r3"]], system="a"),
    Pairs(["same", "b2", "same"], [["r1"], ["r2"], ["r3"]], system="b"),
]


def join(folder: Path, *rows: dict[str, object], human: str | None = None) -> JoinedLabels:
    path = folder / "few.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return joined_labels(SYSTEMS, list(read_labels(str(path), human)), str(path))


def test_by_system_and_row(tmp_path: Path) -> None:
    found = join(tmp_path, {"system": "b", "row": 2, "score": 5}, {"system": "a", "row": 3, "score": None})
    assert np.isnan(found.labels[0]).all()
    assert found.labels[1][1] == 5
    assert found.probabilities is None


def test_by_texts_that_systems_share(tmp_path: Path) -> None:
    rows = [{"candidate": "same", "reference": "r1", "score": 7}, {"candidate": "a2", "reference": "r2", "score": 3}]
    found = join(tmp_path, *rows)
    assert [found.labels[0][0], found.labels[1][0], found.labels[0][1]] == [7, 7, 3]
    assert np.isnan(found.labels[1][2])


def test_a_file_may_be_named_without_its_ending(tmp_path: Path) -> None:
    path = tmp_path / "few.jsonl"
    path.write_text('{"system": "a", "row": 2, "score": 5}\n', encoding="utf-8")
    files = [Pairs(one.candidates, one.references, system=f"out/{one.system}.txt") for one in SYSTEMS]
    assert joined_labels(files, list(read_labels(str(path))), str(path)).labels[0][1] == 5
    twins = [Pairs(one.candidates, one.references, system=f"{number}/a.txt") for number, one in enumerate(SYSTEMS)]
    with pytest.raises(FarthingError, match=r"labels of other systems only: a .*--names"):
        joined_labels(twins, list(read_labels(str(path))), str(path))


def test_verdicts_are_labels_and_expectations_are_none(tmp_path: Path) -> None:
    """`farthing judge -o` writes both: a score for every row, and a verdict for those that the judge saw."""
    rows = [{"system": "a", "row": n, "score": 50 + n, "verdict": 40 if n == 2 else None} for n in (1, 2, 3)]
    assert np.nan_to_num(join(tmp_path, *rows).labels[0]).tolist() == [0, 40, 0]


def test_another_column_and_probabilities(tmp_path: Path) -> None:
    rows = [{"system": "a", "row": n, "people": {"x": n}, "probability": 0.5} for n in (1, 2)]
    found = join(tmp_path, *rows, human="people.x")
    assert found.labels[0][:2].tolist() == [1, 2]
    assert found.probabilities is not None
    assert found.probabilities[0].tolist() == [0.5, 0.5, 1]


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([{"candidate": "nowhere", "score": 1}], "no output has the texts"),
        ([{"candidate": "same", "score": 1}], "several outputs"),
        ([{"candidate": "a2", "score": "good"}], "no number"),
        ([{"candidate": "a2", "grade": 1}], "no column of labels"),
        ([{"candidate": "a2", "score": None}], "has no labels"),
        ([{"candidate": "a2", "score": 1, "probability": 0.5}, {"candidate": "a3", "score": 1}], "give all or none"),
    ],
)
def test_what_cannot_be_joined_is_one_sentence(tmp_path: Path, rows: list[dict[str, object]], sentence: str) -> None:
    with pytest.raises(FarthingError, match=sentence):
        join(tmp_path, *rows)
