"""`learn distil-tokens`: from annotated pairs to a student that matches tokens."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from farthing.core.errors import InputError, OutputError
from farthing.learn.data.examples import Examples
from farthing.learn.data.store import PairTable, write_pairs
from farthing.learn.match.distil import TokenDistillation, distil_by_tokens
from farthing.learn.match.export import write_judge
from farthing.learn.match.model import Judge
from farthing.learn.match.tokens import ContextualTokens, load_transformer
from farthing.students.match import MatchStudent


@pytest.fixture
def teacher(encoder: Path, tmp_path: Path) -> str:
    folder = tmp_path / "teacher"
    folder.mkdir()
    judge = Judge(ContextualTokens(load_transformer(encoder, 2)), hidden=2)
    write_judge(judge, encoder, folder, floor=-1.0, about={})
    return str(folder)


def parquet(path: Path, pairs: Examples, scores: np.ndarray) -> Path:
    write_pairs(path, PairTable({"candidate": pairs.candidates, "reference": pairs.references, "score": scores}))
    return path


def test_the_student_learns_the_scores(
    teacher: str, pairs: Examples, tmp_path: Path, new_encoder: Callable[..., Path]
) -> None:
    start = tmp_path / "start"
    start.mkdir()
    plan = TokenDistillation(teacher, str(new_encoder(start, width=16)), depth=1, epochs=1)
    found = distil_by_tokens(parquet(tmp_path / "p.parquet", pairs, pairs.targets), tmp_path / "student", plan)
    assert found > 0.8
    raw = MatchStudent(tmp_path / "student", threads=1).raw(pairs.candidates, pairs.references)
    assert np.corrcoef(raw, pairs.targets)[0, 1] > 0.75


def test_constant_scores_are_refused(teacher: str, encoder: Path, pairs: Examples, tmp_path: Path) -> None:
    path = parquet(tmp_path / "p.parquet", pairs, np.ones(len(pairs)))
    with pytest.raises(InputError, match="different scores"):
        distil_by_tokens(path, tmp_path / "student", TokenDistillation(teacher, str(encoder)))
    assert not (tmp_path / "student").exists()


def test_an_interrupted_run_resumes_to_the_same_student(
    teacher: str, pairs: Examples, tmp_path: Path, new_encoder: Callable[..., Path]
) -> None:
    """The plug is pulled at the first check of the head's training."""
    (tmp_path / "start").mkdir()
    plan = TokenDistillation(teacher, str(new_encoder(tmp_path / "start", width=16)), depth=1, epochs=1)
    path = parquet(tmp_path / "p.parquet", pairs, pairs.targets)

    def pull(line: str) -> None:
        if not line.startswith("token distillation"):
            raise KeyboardInterrupt

    distil_by_tokens(path, tmp_path / "whole", plan)
    with pytest.raises(KeyboardInterrupt):
        distil_by_tokens(path, tmp_path / "student", plan, log=pull)
    with pytest.raises(OutputError, match="other settings or data"):
        distil_by_tokens(path, tmp_path / "student", replace(plan, seed=2))
    distil_by_tokens(path, tmp_path / "student", plan)
    for one in (tmp_path / "whole").iterdir():
        assert one.read_bytes() == (tmp_path / "student" / one.name).read_bytes()
    assert not (tmp_path / "student.run").exists()
