"""Human judgements from tables: columns found or named, gaps, repeats, groups, and what is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from farthing.core.columns import Columns
from farthing.core.errors import InputError, UnknownName, UsageError
from farthing.meta.read.human import HumanColumns, judgements_of, read_table

ROWS = [
    {"lp": "de-en", "system": "A", "segment_id": 1, "source": "s1", "reference": "r1", "candidate": "a1", "score": 70},
    {"lp": "de-en", "system": "B", "segment_id": 1, "source": "s1", "reference": "r1", "candidate": "b1", "score": 60},
    {
        "lp": "de-en",
        "system": "B",
        "segment_id": 2,
        "source": "s2",
        "reference": "r2",
        "candidate": "b2",
        "score": None,
    },
    {"lp": "cs-en", "system": "C", "segment_id": 1, "source": "t1", "reference": "r3", "candidate": "c1", "score": 5},
]


def written(folder: Path, rows: list[dict[str, Any]], name: str = "human.jsonl") -> str:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_a_table_becomes_grids_with_gaps(tmp_path: Path) -> None:
    found = read_table(written(tmp_path, ROWS))
    assert found.group_names == ["de-en", "cs-en"]
    grid, other = found.grids()
    assert grid.systems == ("A", "B")
    human = grid.spread(found.judged())
    assert human[0, 0] == 70
    assert human[1, 0] == 60
    assert np.isnan(human[:, 1]).all()  # A has no output, B no score
    assert grid.rows.tolist() == [[0, -1], [1, 2]]
    assert not grid.complete
    assert other.complete


def test_tsv_and_parquet_say_the_same(tmp_path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    table = tmp_path / "human.tsv"
    cells = [[("" if value is None else str(value)) for value in row.values()] for row in ROWS]
    table.write_text("\n".join("\t".join(line) for line in [list(ROWS[0]), *cells]) + "\n")
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(ROWS), tmp_path / "human.parquet")
    expected = read_table(written(tmp_path, ROWS))
    for path in (table, tmp_path / "human.parquet"):
        found = read_table(str(path))
        assert found.texts.candidates == expected.texts.candidates
        assert found.systems == expected.systems
        assert found.judged() == pytest.approx(expected.judged(), nan_ok=True)


def test_several_columns_of_scores_and_nested_ones(tmp_path: Path) -> None:
    rows = [{"mt": "x", "ref": "y", "z": 1.5, "scores": {"fluency": 3, "adequacy": None}}]
    found = read_table(written(tmp_path, rows))
    assert list(found.scores) == ["z", "scores.fluency", "scores.adequacy"]
    assert found.judged("scores.fluency").tolist() == [3]
    chosen = read_table(written(tmp_path, rows), HumanColumns(scores=("scores.fluency",)))
    assert list(chosen.scores) == ["scores.fluency"]
    with pytest.raises(UnknownName, match="column of human scores 'fluency'"):
        found.judged("fluency")
    with pytest.raises(UsageError, match="no score in it"):
        found.judged("scores.adequacy")


def test_named_columns(tmp_path: Path) -> None:
    rows = [{"who": "A", "what": "7", "text_a": "x", "gold_text": "y", "lang2": "de", "points": "4,5"}]
    columns = HumanColumns(Columns("text_a", ("gold_text",)), "who", "what", "lang2", ("points",))
    with pytest.raises(InputError, match=r"human.jsonl:1: '4,5' in column 'points' is not a number"):
        read_table(written(tmp_path, rows), columns)
    rows[0]["points"] = "4.5"
    found = read_table(written(tmp_path, rows), columns)
    assert (found.systems, found.group_names, found.judged().tolist()) == (("A",), ["de"], [4.5])
    with pytest.raises(InputError, match=r"no column 'who2'.*--system"):
        read_table(written(tmp_path, rows), HumanColumns(Columns("text_a"), system="who2"))
    with pytest.raises(InputError, match=r"no column 'fame'.*--human"):
        read_table(written(tmp_path, rows), HumanColumns(Columns("text_a"), scores=("fame",)))


def test_outputs_without_system_names_are_told_apart_by_item() -> None:
    rows = [{"candidate": text, "reference": ref, "score": 1} for text, ref in [("a", "r"), ("b", "r"), ("c", "q")]]
    found = judgements_of(enumerate(rows, start=1))
    assert found.systems == ("1", "2", "1")
    assert found.grids()[0].rows.shape == (2, 2)


def test_segments_numbered_anew_are_not_confused() -> None:
    rows = [
        {"system": "A", "segment_id": 0, "source": source, "candidate": "x", "reference": "r", "score": 1}
        for source in ("dev", "test")
    ]
    assert judgements_of(enumerate(rows, start=1)).grids()[0].rows.shape == (1, 2)


def test_an_output_judged_twice_is_averaged_and_noted() -> None:
    rows = [{**ROWS[0], "score": 70}, {**ROWS[0], "score": 80}, {**ROWS[0], "score": None}]
    found = judgements_of(enumerate(rows, start=1))
    assert found.judged().tolist() == [75]
    assert "2 rows judge an output again" in str(found.notes[0])


def test_two_outputs_of_one_system_for_one_segment_are_refused() -> None:
    rows = [ROWS[0], {**ROWS[0], "candidate": "other"}]
    with pytest.raises(InputError, match=r"data:2: system 'A' has two different outputs"):
        judgements_of(enumerate(rows, start=1))


def test_rows_without_reference_are_left_out_and_noted() -> None:
    rows = [ROWS[0], {**ROWS[1], "reference": None}, ROWS[3]]
    found = judgements_of(enumerate(rows, start=1))
    assert found.texts.candidates == ["a1", "c1"]
    assert found.lines.tolist() == [0, 2]
    assert found.length == 3
    assert found.notes[0].rows == (1,)


def test_whole_test_sets_in_one_record() -> None:
    record = {"lp": "de-en", "source": ["s", "t"], "reference": ["r", "q"]}
    plain = judgements_of([(1, {**record, "systems": {"A": ["x", "y"], "B": ["z", "w"]}})])
    assert plain.texts.candidates == ["x", "y", "z", "w"]
    assert plain.texts.references[1] == ("q",)
    whole = judgements_of([(1, {**record, "systems": {"A": {"score": 0.5, "output": ["x", "y"]}}})])
    assert whole.system_scores == {"score": {("de-en", "A"): 0.5}}
    with pytest.raises(UsageError, match="no column of human scores"):
        whole.judged()


def test_choosing_groups(tmp_path: Path) -> None:
    found = read_table(written(tmp_path, ROWS))
    assert found.only(["cs-en"]).texts.candidates == ["c1"]
    with pytest.raises(UnknownName, match="unknown group 'fi-en'"):
        found.only(["fi-en"])
    ungrouped = read_table(written(tmp_path, ROWS), HumanColumns(group="none"))
    assert ungrouped.group_names == ["all"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ('{"a": 1}\n', "no column 'candidate'"),
        ('{"candidate": 3}\n', "must be text"),
        ("[]\n", "object"),
    ],
)
def test_broken_files(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "human.jsonl"
    path.write_text(text)
    with pytest.raises(InputError, match=words):
        read_table(str(path))


def test_every_file_of_the_shared_data_is_read(shared: Path, human: Callable[[str], list[dict[str, Any]]]) -> None:
    for name in ("wmt16_da_seg", "wmt20_mqm_seg", "sum_newsroom", "d2t_bagel", "dialog_grade", "mrpc"):
        rows = human(name)
        found = read_table(str(shared / "data" / "human" / f"{name}.jsonl.gz"))
        assert len(found) == len(rows)
        assert found.judged("score") == pytest.approx(np.array([row["score"] for row in rows]))
