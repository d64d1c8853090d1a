"""Scores made elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from farthing.core.errors import InputError, UsageError
from farthing.meta.judgements import Judgements
from farthing.meta.read.external import read_scored
from farthing.meta.read.human import judgements_of


def test_scores_from_a_file_row_by_row(tmp_path: Path, six_judged: Judgements) -> None:
    path = tmp_path / "x.txt"
    path.write_text("".join(f"{number}\n" for number in range(6)))
    found = read_scored(f"mine={path}", six_judged)
    assert found.values.tolist() == [0, 1, 2, 3, 4, 5]
    assert read_scored(f"mine={path}", six_judged, lower=["mine"]).oriented.tolist() == [0, -1, -2, -3, -4, -5]
    path.write_text("1\n2\n")
    with pytest.raises(InputError, match=r"x.txt: 2 scores, but human.jsonl has 6 rows"):
        read_scored(f"mine={path}", six_judged)
    path.write_text("1\ntwo\n")
    with pytest.raises(InputError, match=r"x.txt:2: 'two'"):
        read_scored(f"mine={path}", six_judged)


def test_scores_of_a_file_follow_rows_that_were_left_out(tmp_path: Path) -> None:
    rows = [{"candidate": f"c{n}", "reference": "r" if n != 1 else "", "score": n} for n in range(3)]
    data = judgements_of(enumerate(rows, start=1), "human.jsonl")
    (tmp_path / "x.txt").write_text("10\n11\n12\n")
    assert read_scored(f"mine={tmp_path / 'x.txt'}", data).values.tolist() == [10, 12]


def test_scores_from_a_column_and_by_system(tmp_path: Path, six_judged: Judgements) -> None:
    table = tmp_path / "x.jsonl"
    table.write_text("".join(json.dumps({"comet": n}) + "\n" for n in range(6)))
    assert read_scored(f"mine={table}:comet", six_judged).values.tolist() == [0, 1, 2, 3, 4, 5]
    with pytest.raises(InputError, match="no column 'bleurt'"):
        read_scored(f"mine={table}:bleurt", six_judged)
    with pytest.raises(InputError, match="which column"):
        read_scored(f"mine={table}", six_judged)
    joined = tmp_path / "y.tsv"
    joined.write_text("lp\tsystem\tsegment\tcomet\ncs-en\tC\t1\t0.5\nde-en\tB\t2\t0.25\n")
    found = read_scored(f"mine={joined}:comet", six_judged).values
    assert (found[4], found[3]) == (0.5, 0.25)
    joined.write_text("lp\tsystem\tcomet\nde-en\tA\t0.5\nde-en\tB\t0.25\n")
    whole = read_scored(f"mine={joined}:comet", six_judged)
    assert whole.of_systems(six_judged.grids()[0]).tolist() == [0.5, 0.25]


@pytest.mark.parametrize("text", ["x.txt", "=x.txt", "name="])
def test_score_files_need_a_name(text: str, six_judged: Judgements) -> None:
    with pytest.raises(UsageError, match="name=file"):
        read_scored(text, six_judged)
