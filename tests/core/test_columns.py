"""Columns: guessed from the usual names, named by the user, or missing."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from farthing.core.columns import (
    CANDIDATE,
    DOCUMENT,
    NO_DOCUMENTS,
    REFERENCE,
    SOURCE,
    Columns,
    InputRow,
    RowReader,
)  # fmt: skip
from farthing.core.errors import InputError
from farthing.files.inputs import Inputs


def write(path: Path, *rows: str) -> str:
    path.write_text("".join(row + "\n" for row in rows), encoding="utf-8")
    return str(path)


def test_columns_are_guessed_and_can_be_named(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", "Src\tMT\tref1\tref2\tother", "s\tm\tr\tq\to")
    [pairs] = Inputs([path]).pairs()
    assert (pairs.candidates, pairs.references, pairs.sources) == (["m"], [("r", "q")], ["s"])
    [pairs] = Inputs([path], columns=Columns(candidate="other", reference=("ref2",), source="MT")).pairs()
    assert (pairs.candidates, pairs.references, pairs.sources) == (["o"], [("q",)], ["m"])


def test_number_of_references_may_vary(tmp_path: Path) -> None:
    rows = [{"hypothesis": "a", "references": ["b"]}, {"hypothesis": "c", "references": ["d", "e"]}]
    [pairs] = Inputs([write(tmp_path / "a.jsonl", *map(json.dumps, rows))]).pairs()
    assert pairs.references == [("b",), ("d", "e")]
    pyarrow.parquet.write_table(
        pyarrow.table({"mt": ["a", "c"], "ref1": ["b", "d"], "ref2": [None, "e"]}), tmp_path / "a.parquet"
    )
    [pairs] = Inputs([str(tmp_path / "a.parquet")]).pairs()
    assert pairs.references == [("b",), ("d", "e")]


def test_missing_column_lists_those_there_are(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", "one\ttwo", "1\t2")
    with pytest.raises(InputError, match=r"no column 'candidate' \(there are: one, two; name it with --candidate\)"):
        Inputs([path]).pairs()
    with pytest.raises(InputError, match="no column 'three'"):
        Inputs([path], columns=Columns(candidate="one", reference=("three",))).pairs()


def test_wrong_types_name_line_and_field(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", '{"mt": "a", "ref": "b"}', '{"mt": 3, "ref": "b"}')
    with pytest.raises(InputError, match=r"a.jsonl:2: the field 'mt' must be text, found int"):
        Inputs([path]).pairs()
    path = write(tmp_path / "b.jsonl", '{"mt": "a", "ref": ["b", null]}')
    with pytest.raises(InputError, match="must be text or a list of texts, found list"):
        Inputs([path]).pairs()


@pytest.mark.parametrize("candidate", CANDIDATE)
@pytest.mark.parametrize("reference", [REFERENCE[0], REFERENCE[-1].upper()])
def test_every_usual_name_is_found_whatever_its_case(candidate: str, reference: str) -> None:
    record = {candidate.title(): "c", reference: "r", SOURCE[0]: "s", "ID": 7}
    assert RowReader("a.tsv", Columns(), record).row(1, record) == InputRow("c", ("r",), "s", "7")


def test_a_text_file_is_what_is_wanted_of_it() -> None:
    record = {"text": "x"}
    assert RowReader("a.txt", Columns(), record, "candidate").row(1, record).candidate == "x"
    assert RowReader("a.txt", Columns(), record, "reference").row(1, record).references == ("x",)
    assert RowReader("a.txt", Columns(), record, "source").row(1, record).source == "x"


def test_numbered_references_are_used_only_without_a_single_one() -> None:
    record = {"mt": "c", "ref": "one", "ref1": "two", "ref-2": "three"}
    assert RowReader("a", Columns(), record).references == ["ref"]
    del record["ref"]
    assert RowReader("a", Columns(), record).references == ["ref1", "ref-2"]


def test_what_is_wanted_must_be_there() -> None:
    record = {"mt": "c"}
    with pytest.raises(InputError, match=r"a: no column 'reference' \(there are: mt; name it with --reference\)"):
        RowReader("a", Columns(), record, "reference")
    with pytest.raises(InputError, match="no column 'source'"):
        RowReader("a", Columns(), record, "source")
    row = RowReader("a", Columns(), record).row(1, record)
    assert (row.references, row.source, row.identity) == ((), None, None)


def test_a_missing_reference_is_an_error_only_if_there_is_one_column() -> None:
    reader = RowReader("a", Columns(), {"mt": "c", "ref": "r"})
    with pytest.raises(InputError, match="a:3: the field 'ref' must be text or a list of texts, found nothing"):
        reader.row(3, {"mt": "c", "ref": None})


@pytest.mark.parametrize("name", DOCUMENT)
def test_document_ids_are_found_by_their_usual_names(name: str) -> None:
    record = {"mt": "c", "source": "s", name.title(): 7}
    row = RowReader("a", Columns(), record).row(1, record)
    assert (row.source, row.document) == ("s", "7")


def test_a_document_may_be_the_source() -> None:
    record = {"candidate": "c", "Document": "a whole article"}
    row = RowReader("a", Columns(), record).row(1, record)
    assert (row.source, row.document) == ("a whole article", None)


def test_the_column_of_documents_may_be_named_or_refused() -> None:
    record = {"mt": "c", "talk": "t", "doc": "d"}
    assert RowReader("a", Columns(document="talk"), record).row(1, record).document == "t"
    assert RowReader("a", Columns(document=NO_DOCUMENTS), record).row(1, record).document is None
    with pytest.raises(InputError, match="no column 'chapter'"):
        RowReader("a", Columns(document="chapter"), record)
    assert RowReader("a", Columns(document="chapter"), {"ref": "r"}, "reference").document is None
