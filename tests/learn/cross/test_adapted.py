"""A cross-encoder learns through an adapter, and its folder scores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from farthing.core.errors import UsageError
from farthing.learn.cross.adapted import adapt_student
from farthing.learn.cross.finetune import SETTINGS, finetune
from farthing.learn.cross.start import Start, make_student
from farthing.learn.data.humans import Judged
from farthing.students.cross import CrossStudent


@pytest.mark.parametrize(("method", "backend"), [("houlsby", "onnx"), ("ia3", "torch")])
def test_a_student_learns_through_an_adapter(
    method: Any, backend: str, encoder: Path, sets: list[Judged], tmp_path: Path
) -> None:
    few = [one.taking(range(40)) for one in sets[:2]]
    from dataclasses import replace

    settings = replace(SETTINGS, epochs=1, rate=1e-3, threads=1)
    found = finetune(Start(str(encoder)), few[:1], tmp_path / "made", settings, validation=few[1:], adapter=method)
    student = CrossStudent(found.folder, threads=1)
    assert student.run.backend == backend
    assert np.isfinite(student.score_systems([few[0].pairs])[0].segments).all()
    assert (found.folder / "adapter" / "adapter.safetensors").is_file()


def test_only_adapter_pooler_and_head_learn(encoder: Path) -> None:
    model, _ = make_student(Start(str(encoder)), [], seed=1)
    adapted = adapt_student(model, "pfeiffer")
    learning = {name for name, part in model.named_parameters() if part.requires_grad}
    others = {name for name in learning if ".adapter." not in name}
    assert all("classifier" in name or "pooler" in name for name in others)
    assert len(learning) - len(others) == len(list(adapted.adapter.named_parameters()))


def test_an_adapter_of_a_frozen_student_is_a_contradiction(encoder: Path, sets: list[Judged], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--freeze trains only the head"):
        finetune(Start(str(encoder)), sets, tmp_path / "made", freeze=True, adapter="ia3")
