"""Texts in every form that people hold them in, and a sentence for what holds none."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas
import pyarrow
import pytest

from farthing.core.errors import FarthingError
from farthing.core.texts import as_list, as_table, counts_differ, is_missing, reference_rows

polars = pytest.importorskip("polars", reason="polars is not installed")
TEXTS = ["the cat", "", "“ünï” 猫"]
FORMS: dict[str, Callable[[list[str]], Any]] = {
    "list": list,
    "tuple": tuple,
    "generator": lambda texts: (text for text in texts),
    "values": lambda texts: dict(enumerate(texts)).values(),
    "map": lambda texts: map(str, texts),
    "numpy": np.array,
    "numpy object": lambda texts: np.array(texts, dtype=object),
    "pandas": pandas.Series,
    "pandas index": pandas.Index,
    "pandas category": lambda texts: pandas.Series(texts, dtype="category"),
    "pandas object": lambda texts: pandas.Series(texts, dtype=object, index=range(5, 5 + len(texts))),
    "pandas arrow": lambda texts: pandas.Series(texts, dtype=pandas.ArrowDtype(pyarrow.string())),
    "polars": polars.Series,
    "arrow": pyarrow.array,
    "arrow chunks": lambda texts: pyarrow.chunked_array([texts[:1], texts[1:]]),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_column_is_a_list_of_texts(form: str) -> None:
    found = as_list(FORMS[form](TEXTS), "candidates")
    assert found == TEXTS
    assert all(isinstance(text, str) for text in found)
    assert [list(row) for row in reference_rows(FORMS[form](TEXTS))] == [[text] for text in TEXTS]


@pytest.mark.parametrize(
    "rows",
    [
        [["a", "b"], ["c", "d"]],
        (("a", "b"), ("c", "d")),
        np.array([["a", "b"], ["c", "d"]]),
        pandas.Series([["a", "b"], np.array(["c", "d"])]),
        polars.Series([["a", "b"], ["c", "d"]]),
        pyarrow.array([["a", "b"], ["c", "d"]]),
        pandas.DataFrame({"x": ["a", "c"], "y": ["b", "d"]}),
        polars.DataFrame({"x": ["a", "c"], "y": ["b", "d"]}),
        pyarrow.table({"x": ["a", "c"], "y": ["b", "d"]}),
        {"x": ["a", "c"], "y": pandas.Series(["b", "d"])},
    ],
)
def test_several_references_per_row(rows: object) -> None:
    assert [list(row) for row in reference_rows(rows)] == [["a", "b"], ["c", "d"]]


def test_columns_of_references_may_have_gaps_but_no_empty_row() -> None:
    frame = pandas.DataFrame({"x": ["a", "c"], "y": ["b", None]})
    assert reference_rows(frame) == [["a", "b"], ["c"]]
    with pytest.raises(FarthingError, match="row 2: references must be text, found a missing value"):
        reference_rows(pandas.DataFrame({"x": ["a", None], "y": ["b", None]}))
    with pytest.raises(FarthingError, match="different lengths: x has 1, y has 2"):
        reference_rows({"x": ["a"], "y": ["b", "c"]})


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (None, "candidates is None: pass a list"),
        ("a text", "candidates is a single string: pass a list"),
        ("hyp.txt", r"the name of a file: read it with farthing.read\('hyp.txt'\)"),
        (b"a", "candidates is bytes"),
        ({"a", "b"}, "candidates is a set, which has no order: pass a list"),
        (frozenset("ab"), "candidates is a set"),
        (3, "candidates is a number: pass a list"),
        (2.5, "candidates is a number"),
        (np.array("a"), "candidates is a single ndarray: pass a list"),
        (object(), "candidates is object: pass a list"),
        (polars.DataFrame({"x": ["a"]}).lazy(), r"holds no texts yet: call its collect\(\) first"),
    ],
)
def test_what_holds_no_texts_is_a_sentence(column: object, message: str) -> None:
    with pytest.raises(FarthingError, match=message):
        as_list(column, "candidates")


@pytest.mark.parametrize("entry", [None, float("nan"), pandas.NA, b"a", 3, {"a": 1}, {"a"}, [1], ["a", None]])
def test_references_that_are_no_texts_name_their_row(entry: object) -> None:
    with pytest.raises(FarthingError, match="row 2"):
        reference_rows(["a", entry])


def test_missing_values() -> None:
    assert all(map(is_missing, (None, np.nan, pandas.NA)))
    assert not any(map(is_missing, ("", 0, "nan", [])))


def test_tables_are_told_from_columns() -> None:
    columns = {"mt": ["a"], "ref": ["b"]}
    batch = pyarrow.RecordBatch.from_pydict(columns)
    for table in (columns, pandas.DataFrame(columns), polars.DataFrame(columns), pyarrow.table(columns), batch):
        found = as_table(table)
        assert found is not None
        assert {name: as_list(column, name) for name, column in found.items()} == columns
    for form in FORMS.values():
        assert as_table(form(TEXTS)) is None
    assert as_table(None) is None


def test_columns_of_different_lengths() -> None:
    streams = [["a", "b", "c"], ["d", "e", "f"]]
    transposed = re.escape("2 lists of 3 texts, as sacrebleu takes them; give one list of references per candidate")
    assert re.search(transposed, str(counts_differ("references", 3, streams)))
    assert "as in [[first, second]]" in str(counts_differ("references", 1, [["a"], ["b"]]))
    assert str(counts_differ("sources", 3, ["a"])) == "3 candidates but 1 sources: give one entry per candidate"
    assert "give one entry per candidate" in str(counts_differ("references", 3, [["a"], ["b"]]))
