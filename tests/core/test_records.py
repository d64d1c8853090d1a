"""Results as tables of other libraries."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from farthing.core.errors import UsageError
from farthing.core.records import arrow_table, pandas_frame


def test_columns_become_tables() -> None:
    columns = {"system": ["a", "b"], "score": np.array([1.0, 2.0])}
    assert arrow_table(columns).to_pydict() == {"system": ["a", "b"], "score": [1.0, 2.0]}
    assert pandas_frame(columns).to_dict("list") == {"system": ["a", "b"], "score": [1.0, 2.0]}


def test_pandas_is_asked_for_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UsageError, match="needs pandas: pip install pandas"):
        pandas_frame({})
