"""The tiny student of tests/students, for the backends that run its tables."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest


@pytest.fixture
def student_folder(tmp_path: Path) -> Path:
    place = Path(__file__).resolve().parents[2] / "students" / "conftest.py"
    spec = importlib.util.spec_from_file_location("students_conftest", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    folder: Path = module.make_student(tmp_path)
    return folder
