"""Exports go to the kind of their student; tests/learn/regress/test_export.py exports an estimator by this door."""

from __future__ import annotations

from pathlib import Path

import pytest

from farthing.core.errors import ModelError
from farthing.learn.exporting import against_of, export_student


def test_a_name_that_is_not_here_is_told(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="nothing-of-this-name"):
        export_student("nothing-of-this-name", tmp_path / "made")


def test_a_folder_tells_what_its_student_compares_with(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"farthing": {"kind": "cross", "against": "source"}}')
    assert against_of(str(tmp_path)) == "source"
    assert against_of("nothing-of-this-name") == "reference"
