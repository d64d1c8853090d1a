"""JSON documents: every usual shape gives the same rows."""

from __future__ import annotations

import json
from pathlib import Path

import pandas
import pytest

from farthing.core.errors import InputError
from farthing.files.inputs import Inputs
from farthing.files.json_table import json_rows
from farthing.files.read import records

ROWS = [{"mt": "a b", "ref": "a c"}, {"mt": "d", "ref": "e"}]
FRAME = pandas.DataFrame(ROWS)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(ROWS),
        json.dumps(ROWS, indent=2),
        json.dumps({"mt": ["a b", "d"], "ref": ["a c", "e"]}),
        json.dumps({"version": 1, "data": ROWS}),
        json.dumps({"data": {"mt": "x"}, "results": ROWS}),
        "\n".join(map(json.dumps, ROWS)),
        "\n\n".join(map(json.dumps, ROWS)) + "\n",
        *(FRAME.to_json(orient=way) for way in ("columns", "records", "split")),
        json.dumps({"one": ROWS[0], "two": ROWS[1]}),
    ],
)
def test_every_usual_shape(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text, encoding="utf-8")
    found = [record for _, record in records(str(tmp_path / "a.json"))]
    assert [{"mt": row["mt"], "ref": row["ref"]} for row in found] == ROWS


def test_pandas_table_form_has_an_index_beside_the_columns(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(FRAME.to_json(orient="table"), encoding="utf-8")
    assert [record["mt"] for _, record in records(str(tmp_path / "a.json"))] == ["a b", "d"]


def test_lists_of_texts_are_candidates_or_references(tmp_path: Path) -> None:
    (tmp_path / "hyp.json").write_text('["a", "b"]')
    (tmp_path / "ref.json").write_text('["c", ["d", "e"]]')
    [pairs] = Inputs([str(tmp_path / "hyp.json")], [str(tmp_path / "ref.json")]).pairs()
    assert (pairs.candidates, pairs.references) == (["a", "b"], [("c",), ("d", "e")])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (3, "holds a single int"),
        ([1], "a.json:1: expected a JSON object, found int"),
        ({"mt": ["a"], "ref": ["b", "c"]}, "different lengths: mt has 1, ref has 2"),
        ({"train": [{"a": 1}], "test": [{"a": 2}]}, "holds several tables: train, test"),
    ],
)
def test_other_shapes_are_one_sentence(content: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        json_rows(content, "a.json", "text")
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ['[{"mt": "a"', "{", '{"a": "b"}\n{"a": '])
def test_broken_json_is_one_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(InputError, match="broken JSON"):
        list(records(str(tmp_path / "a.json")))
