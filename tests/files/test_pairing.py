"""Rows of files as pairs."""

from __future__ import annotations

from farthing.core.columns import InputRow
from farthing.files.pairing import completed, pairs_of_rows


def row(candidate: str, source: str | None = None, identity: str | None = None) -> InputRow:
    return InputRow(candidate, ("own",), source, identity, document="d")


def test_what_other_files_say_comes_first() -> None:
    assert completed(row("a", "s", "1"), (), None, None, None) == row("a", "s", "1")
    told = completed(row("a", "s"), ("r1", "r2"), "other", "e", "broken")
    assert told == InputRow("a", ("r1", "r2"), "other", None, "e", broken="broken")


def test_a_column_is_kept_only_if_every_row_has_it() -> None:
    whole = pairs_of_rows([row("a", "s", "1"), row("b", "t", "2")], "x")
    assert (whole.candidates, whole.references, whole.system) == (["a", "b"], [("own",), ("own",)], "x")
    assert (whole.sources, whole.ids, whole.documents) == (["s", "t"], ["1", "2"], ["d", "d"])
    partly = pairs_of_rows([row("a", "s", "1"), row("b")], "x")
    assert (partly.sources, partly.ids) == (None, None)
