"""`farthing learn finetune`: one student, or the table of several."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from farthing.learn.study.leave_one_out import TransferScore


def test_one_student(
    judgements: Path,
    learn: Callable[..., None],
    calls: Callable[..., SimpleNamespace],
    capfd: pytest.CaptureFixture[str],
) -> None:
    scores = SimpleNamespace(best=1, rows=[{"x": 0.1}, {"x": 0.6}])
    done = calls("farthing.learn.cross.finetune.finetune", SimpleNamespace(scores=scores))
    learn(
        *("finetune", judgements, "--validation", judgements, "--groups", "de-en", "--normalise", "range"),
        *("--freeze", "--epochs", 3, "-o", "out"),
    )
    [((start, sets, _, settings), options)] = done.given
    assert start.name == "2x128"
    assert [len(one) for one in sets] == [len(one) for one in options["validation"]] == [3]
    assert (settings.epochs, settings.checks) == (3, 3)
    assert (options["normalise"], options["freeze"]) == ("range", True)
    assert "out: epoch 2 is the best; Pearson with the scores: x 0.6000" in capfd.readouterr().err
    learn("finetune", judgements, "--student", "2x128", "--student", "4x256", code=2)


def test_the_table_of_several(
    judgements: Path,
    learn: Callable[..., None],
    calls: Callable[..., SimpleNamespace],
    capfd: pytest.CaptureFixture[str],
) -> None:
    done = calls("farthing.learn.study.leave_one_out.leave_one_out", [TransferScore("4x256", "a", "b", 0.5, 0.01)])
    learn(
        *("finetune", judgements, judgements, "--leave-one-out", "--seeds", 2),
        *("--student", "4x256", "--student", "2x128"),
    )
    [((starts, sets, run, _), options)] = done.given
    assert (list(starts), len(sets), str(run), options["seeds"]) == (["4x256", "2x128"], 2, "finetuned.run", 2)
    assert "50.0 ±1.0" in capfd.readouterr().out
