"""Whole tables in memory, by the usual names of their columns or by those that the user gives."""

from __future__ import annotations

import datasets
import pandas
import pyarrow
import pytest

from farthing.core.columns import Columns
from farthing.core.errors import FarthingError
from farthing.core.frames import system_columns, texts_of_column, texts_of_table
from farthing.core.texts import as_table
from farthing.core.types import Pairs

polars = pytest.importorskip("polars", reason="polars is not installed")
COLUMNS = {"ID": [7, 8], "src": ["s", "t"], "Hypothesis": ["a", "b"], "ref1": ["c", "d"], "ref2": ["e", None]}
TABLES = [COLUMNS, pandas.DataFrame(COLUMNS), polars.DataFrame(COLUMNS), pyarrow.table(COLUMNS)]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: type(table).__module__.partition(".")[0])
def test_the_usual_names_are_guessed(table: object) -> None:
    pairs = Pairs.of(table, system="mine")  # type: ignore[arg-type]
    assert pairs.candidates == ["a", "b"]
    assert pairs.references == [("c", "e"), ("d",)]
    assert pairs.sources == ["s", "t"]
    assert pairs.ids == ["7", "8"]
    assert pairs.system == "mine"


def test_a_dataset_is_a_table() -> None:
    rows = [{"prediction": "a", "references": ["b", "c"]}, {"prediction": "d", "references": ["e"]}]
    pairs = Pairs.of(datasets.Dataset.from_list(rows))
    assert (pairs.candidates, pairs.references) == (["a", "d"], [("b", "c"), ("e",)])


def test_columns_are_named_by_the_user() -> None:
    table = {"x": ["a"], "y": ["b"], "z": ["c"]}
    found = texts_of_table(table, Columns("x", ("y", "z")))
    assert (found.candidates, found.references) == (["a"], [("b", "c")])
    assert texts_of_table({"x": ["a"]}).candidates == ["a"]
    with pytest.raises(FarthingError, match=r"no column 'candidate' \(there are: x, y, z; name it in"):
        texts_of_table(table)
    with pytest.raises(FarthingError, match="no column 'w'"):
        texts_of_table(table, Columns("x", ("w",)))


def test_given_references_replace_those_of_the_table() -> None:
    pairs = Pairs.of(COLUMNS, ["x", ["y", "z"]], ["u", "v"])
    assert (pairs.references, pairs.sources) == ([["x"], ["y", "z"]], ["u", "v"])
    assert Pairs.of(pairs) == pairs
    assert Pairs.of(pairs, ["p", "q"]).references == [["p"], ["q"]]


def test_a_gap_names_its_row_and_column() -> None:
    frame = pandas.DataFrame({"mt": ["a", None, "c"], "ref": ["a", "b", "c"]})
    with pytest.raises(FarthingError, match=r"row 2: candidates \(mt\) must be text, found a missing value"):
        Pairs.of(frame)
    with pytest.raises(FarthingError, match="row 1: sources must be text, found int"):
        texts_of_column([1], "sources")


def test_systems_are_the_columns_that_are_nothing_else() -> None:
    table = as_table(pandas.DataFrame({"id": ["1"], "ours": ["a"], "reference": ["b"], "theirs": ["c"], "src": ["d"]}))
    assert table is not None
    systems, rest = system_columns(table)
    assert systems == {"ours": ["a"], "theirs": ["c"]}
    assert list(rest) == ["id", "reference", "src"]
    with pytest.raises(FarthingError, match="has no columns"):
        system_columns({})
