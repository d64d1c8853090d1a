"""An exported estimator scores as the trained one, without torch."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from farthing.core.errors import ModelError, UsageError
from farthing.core.types import Pairs
from farthing.learn.exporting import export_student
from farthing.learn.regress.export import export_estimator
from farthing.students.estimator import EstimatorStudent
from farthing.students.facts import student_facts


@pytest.fixture(scope="module")
def exported(estimator_folder: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("exported") / "small"
    found = export_student(str(estimator_folder()), target, licence="MIT")
    assert found.difference < 1e-4
    assert found.pearson > 0.99999
    return target


def test_scores_are_those_of_comet(
    exported: Path, parity_texts: dict[str, list[str]], published: Callable[[str], Any]
) -> None:
    student = EstimatorStudent(exported, threads=1)
    assert student.engine.encoder.backend == "onnx"
    pairs = Pairs.of(parity_texts["candidates"], parity_texts["references"], parity_texts["sources"])
    expected = published("comet")[0]["1.scores"]
    np.testing.assert_allclose(student.score_systems([pairs])[0].segments, expected, atol=1e-5)


def test_it_runs_without_torch(exported: Path) -> None:
    program = (
        "import sys; sys.modules['torch'] = sys.modules['transformers'] = None\n"
        "import farthing\n"
        f"print(farthing.load('comet', model={str(exported)!r}).score(['w1 w2'], ['w3'], sources=['w4']).corpus)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert np.isfinite(float(done.stdout))


def test_facts_and_card(exported: Path) -> None:
    facts = student_facts(exported)
    assert facts.kind.startswith("estimator")
    assert (facts.against, facts.precision, facts.layers) == ("reference and source", "fp32", 3)
    assert "MIT" in (exported / "card.md").read_text()
    with pytest.raises(ModelError, match="is already exported"):
        export_estimator(exported, exported.with_name("again"))


def test_precisions(estimator_folder: Callable[..., Path], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="an estimator is exported as fp32 or int8, not fp16"):
        export_estimator(estimator_folder(), tmp_path / "half", precision="fp16")
