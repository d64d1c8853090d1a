"""`farthing learn table` as a user types it, with metrics that need no model."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest


def test_teacher_students_and_other_metrics(
    judgements: Path, tmp_path: Path, learn: Callable[..., None], capfd: pytest.CaptureFixture[str]
) -> None:
    learn(
        *("table", judgements, "--by", "none", "--teacher", "chrf", "--student", "chrf(word_order=2)"),
        *("-m", "ter,chrf(char_order=3)", "-o", tmp_path / "t.json", "-q"),
    )
    printed = capfd.readouterr()
    lines = printed.out.splitlines()
    assert [line.split()[0] for line in lines[:1]] == ["role"]
    assert all(name in printed.out for name in ("chrf(word_order=2)", "ter", "chrf(char_order=3)", "speed-up"))
    assert printed.err == ""
    rows = json.loads((tmp_path / "t.json").read_text())["rows"]
    assert [row["role"] for row in rows] == ["teacher", "student", "metric", "metric"]
    assert rows[0]["teacher"] == pytest.approx({"human": 1.0})
