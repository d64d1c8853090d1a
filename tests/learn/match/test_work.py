"""Finished steps and what made them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from farthing.learn.data.examples import Examples
from farthing.learn.match.panel import Assignment
from farthing.learn.match.work import Work, data_key, folder_key, step_key


class Steps:
    """A model whose training is counted."""

    def __init__(self, folder: Path) -> None:
        self.lines: list[str] = []
        self.runs: list[Path] = []
        self.work = Work(folder, self.lines.append)

    def take(self, key: str, value: float, fails: bool = False) -> float:
        model = torch.nn.Linear(1, 1, bias=False)

        def train(run: Path) -> None:
            self.runs.append(run)
            run.mkdir(exist_ok=True)
            if fails:
                raise KeyboardInterrupt
            model.weight.data.fill_(value)

        self.work.trained("student", key, model, train)
        return float(model.weight.detach())


def test_a_finished_step_is_done_once(tmp_path: Path) -> None:
    steps = Steps(tmp_path / "work")
    assert [steps.take("a", 1.0), steps.take("a", 2.0)] == [1.0, 1.0]
    assert len(steps.runs) == 1
    assert not steps.runs[0].exists()
    assert steps.lines == []


def test_a_step_that_something_else_makes_is_done_again_and_says_so(tmp_path: Path) -> None:
    steps = Steps(tmp_path)
    assert [steps.take("a", 1.0), steps.take("b", 2.0), steps.take("b", 3.0), steps.take("a", 4.0)] == [1, 2, 2, 4]
    assert len(steps.lines) == 2
    assert "student.safetensors: the recipe, its data or its models changed" in steps.lines[0]


def test_weights_without_a_note_are_not_trusted(tmp_path: Path) -> None:
    steps = Steps(tmp_path)
    steps.take("a", 1.0)
    (tmp_path / "student.json").write_text("{")
    assert steps.take("a", 2.0) == 2.0


def test_checkpoints_of_another_recipe_are_removed(tmp_path: Path) -> None:
    steps = Steps(tmp_path)
    for key in ("a", "a", "b"):
        with pytest.raises(KeyboardInterrupt):
            steps.take(key, 1.0, fails=True)
    assert steps.runs[0] == steps.runs[1] != steps.runs[2]
    assert not steps.runs[0].exists()
    assert "the interrupted step starts anew" in steps.lines[0]


def test_arrays_are_kept_by_their_key(tmp_path: Path) -> None:
    work = Work(tmp_path, print)
    first = work.array("teacher0", "a", lambda: np.array([1.0, 2.0]))
    assert (work.array("teacher0", "a", lambda: np.zeros(2)) == first).all()
    assert (work.array("teacher0", "b", lambda: np.zeros(2)) == 0).all()


def test_keys_change_with_what_they_name(tmp_path: Path, pairs: Examples) -> None:
    (tmp_path / "config.json").write_text("{}")
    before = folder_key(tmp_path)
    (tmp_path / "config.json").write_text("[]")
    assert folder_key(tmp_path) != before
    keys = {
        data_key([Assignment("source", pairs)]),
        data_key([Assignment("reference", replace(pairs, segments=["s"] * len(pairs)))]),
        data_key([Assignment("reference", pairs)]),
        data_key([Assignment("reference", replace(pairs, targets=pairs.targets + 1e-9))]),
        data_key([Assignment("reference", replace(pairs, weights=2 * pairs.weights))]),
        data_key([Assignment("reference", replace(pairs, candidates=[*pairs.candidates[:-1], "other"]))]),
    }
    assert len(keys) == 6
    assert step_key({"a": 1}) == step_key({"a": 1}) != step_key({"a": 2})
