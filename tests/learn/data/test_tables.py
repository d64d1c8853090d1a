"""Training pairs from any table."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from farthing.core.columns import Columns
from farthing.core.errors import FarthingError
from farthing.learn.data.store import PairTable, write_pairs
from farthing.learn.data.tables import read_any_pairs

ROWS = [
    {"response": "a b", "target": "a c", "rating": "3"},
    {"response": "d", "target": "a c", "rating": "1"},
    {"response": "e", "target": "f", "rating": ""},
    {"response": "g", "target": "h", "rating": "2.5"},
]


def as_csv(path: Path, rows: list[dict[str, str]], separator: str = ";") -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=separator)
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_scores_in_a_column_of_any_table(tmp_path: Path) -> None:
    told: list[str] = []
    table = read_any_pairs(as_csv(tmp_path / "a.csv", ROWS), scored=True, log=told.append)
    assert (table.candidates, table.references) == (["a b", "d", "g"], ["a c", "a c", "h"])
    assert table.scores.tolist() == [3.0, 1.0, 2.5]
    assert table.documents[0] == table.documents[1] != table.documents[2]  # one reference, one side of a split
    assert "a.csv:4: left out: it has no score" in told[0]


def test_columns_may_be_named_and_lie_deeper(tmp_path: Path) -> None:
    rows = [{"x": "a", "y": ["b", "c"], "judges": {"gpt": n}, "score": 0} for n in range(3)]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    table = read_any_pairs(tmp_path / "a.jsonl", scored=True, score="judges.gpt", columns=Columns("x", ("y",)))
    assert table.scores.tolist() == [0, 0, 1, 1, 2, 2]  # one pair per reference
    assert table.references[:2] == ["b", "c"]


def test_what_we_wrote_is_read_as_it_is(tmp_path: Path) -> None:
    ours = PairTable({"candidate": ["a"], "reference": ["b"], "score": [1.0], "seed": [3]}, {"teacher": "chrf"})
    write_pairs(tmp_path / "p.parquet", ours)
    table = read_any_pairs(tmp_path / "p.parquet", scored=True)
    assert (dict(table.columns), dict(table.notes)) == (dict(ours.columns), dict(ours.notes))


def test_a_parquet_of_others_is_a_table(tmp_path: Path) -> None:
    content = pyarrow.table({"mt": ["a", "b"], "ref": ["c", "d"], "score": [1, 2]})
    pyarrow.parquet.write_table(content, tmp_path / "a.pq")
    assert read_any_pairs(tmp_path / "a.pq", scored=True).scores.tolist() == [1.0, 2.0]


def test_texts_alone_keep_the_other_texts(tmp_path: Path) -> None:
    rows = [{"src": "s", "mt": "a", "refs": ["b", "c"], "n": 1}, {"src": "t", "mt": "d", "refs": ["e"], "n": 2}]
    (tmp_path / "a.json").write_text(json.dumps(rows))
    table = read_any_pairs(tmp_path / "a.json")
    assert dict(table.columns) == {
        "candidate": ["a", "a", "d"], "reference": ["b", "c", "e"], "document": ["s", "s", "t"], "src": ["s", "s", "t"],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("content", "scored", "message"),
    [
        ("mt,ref\na,b\nc,d\n", True, "score"),
        ("mt,score\na,1\n", True, "no row has a candidate and a reference"),
        ("mt,ref\n", False, "no pair"),
        ("mt\na\n", False, "has no reference"),
        ("x,y\na,b\n", False, "no column 'candidate'"),
        ("mt,ref,score\na,b,good\nc,d,bad\n", True, "good"),
    ],
)
def test_mistakes_are_one_sentence(tmp_path: Path, content: str, scored: bool, message: str) -> None:
    (tmp_path / "a.csv").write_text(content)
    with pytest.raises(FarthingError, match=message):
        read_any_pairs(tmp_path / "a.csv", scored=scored)


def test_kept_verdicts_tell_who_judged(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.jsonl"
    rows = [
        {
            "candidate": f"a{n}",
            "reference": f"b{n}",
            "score": n,
            "judge_model": "m",
            "judge_prompt": "p",
            "judge_date": f"2026-01-0{n}",
        }
        for n in (1, 2, 3)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert read_any_pairs(path, scored=True).notes == {"teacher": "judge m, prompt p, 2026-01-01 to 2026-01-03"}
