"""The fields of rows."""

from __future__ import annotations

from farthing.core.types import Pairs
from farthing.judge.questions import row_fields


def test_rows_without_references_have_sources_only() -> None:
    assert list(row_fields(Pairs(["a"], [[]], ["s"]))) == [{"candidate": "a", "source": "s"}]
