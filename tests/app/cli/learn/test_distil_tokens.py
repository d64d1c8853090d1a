"""`farthing learn distil-tokens`: every option counts."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest


def test_every_option_reaches_the_plan(
    learn: Callable[..., None], calls: Callable[..., SimpleNamespace], capfd: pytest.CaptureFixture[str]
) -> None:
    done = calls("farthing.learn.match.distil.distil_by_tokens", 0.75)
    learn(
        *("distil-tokens", "scored.parquet", "--student", "folder", "--teacher", "nano", "--depth", 2, "--epochs", 5),
        *("--rate", 0.01, "--seed", 7, "--overwrite", "-o", "out", "-q"),
    )
    [((pairs, output, plan), options)] = done.given
    assert (str(pairs), str(output), options["overwrite"]) == ("scored.parquet", "out", True)
    assert (plan.student, plan.teacher, plan.epochs, plan.rate, plan.seed) == ("folder", "nano", 5, 0.01, 7)
    assert "out: Pearson 0.7500 with the scores it learned from" in capfd.readouterr().err


def test_the_student_must_be_named(learn: Callable[..., None], capfd: pytest.CaptureFixture[str]) -> None:
    learn("distil-tokens", "scored.parquet", code=2)
    assert "--student" in capfd.readouterr().err
