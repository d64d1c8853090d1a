"""Token distillation: the student's vectors come near the teacher's."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from farthing.core.errors import ModelError
from farthing.encoders.tokenize import Tokenizer
from farthing.learn.matching import token_distillation as distillation
from farthing.learn.matching.export import write_student
from farthing.learn.matching.model import Judge
from farthing.learn.matching.tokens import ContextualTokens, load_transformer
from farthing.metrics.students.student import Student
from farthing.text import surface


@pytest.fixture(scope="module")
def teacher(tmp_path_factory: pytest.TempPathFactory, new_encoder: Callable[..., Path]) -> Student:
    start, target = (tmp_path_factory.mktemp(name) for name in ("start", "teacher"))
    tokens = ContextualTokens(load_transformer(new_encoder(start), 2))
    write_student(Judge(tokens, len(surface.NAMES), 2), start, target, floor=-1.0, about={})
    return Student(target, threads=1)


def sentences() -> list[str]:
    random = np.random.default_rng(2)
    return [" ".join(f"w{number}" for number in random.integers(0, 40, 6)) for _ in range(120)]


def test_the_student_comes_near(teacher: Student, tmp_path: Path, new_encoder: Callable[..., Path]) -> None:
    folder = new_encoder(tmp_path, width=16)
    tokenizer = Tokenizer(folder)
    given = distillation.lessons(teacher, tokenizer, sentences(), width=8)
    torch.manual_seed(0)
    student = ContextualTokens(load_transformer(folder, 1), torch.zeros(tokenizer.size, 8))
    student.start_skip(torch.from_numpy(distillation.mean_vectors(given, tokenizer.size)))
    rows = list(range(20))
    with torch.no_grad():
        before = float(distillation._loss(student, tokenizer, given, rows))
    distillation.distil_tokens(student, tokenizer, given, epochs=8, rate=3e-3, seed=1)
    with torch.no_grad():
        after = float(distillation._loss(student, tokenizer, given, rows))
    assert after < 0.7 * before


def test_main_directions_keep_products_of_flat_data() -> None:
    random = np.random.default_rng(1)
    flat = random.normal(size=(50, 3)) @ random.normal(size=(3, 10))
    turned = flat @ distillation.main_directions(flat, 3)
    assert turned @ turned.T == pytest.approx(flat @ flat.T)


def test_mean_vectors_are_means() -> None:
    vectors = [np.array([[1.0, 0], [0, 1]]), np.array([[0.0, 1]])]
    given = distillation.Lessons([[1, 2], [1]], vectors, [np.ones(2), np.ones(1)])
    assert distillation.mean_vectors(given, 4).tolist() == [[0, 0], [0.5, 0.5], [0, 1], [0, 0]]


def test_teacher_and_student_must_share_their_tokens(
    teacher: Student, tmp_path: Path, new_encoder: Callable[..., Path]
) -> None:
    folder = new_encoder(tmp_path)
    text = (folder / "tokenizer.json").read_text().replace('"w39"', '"other"').replace('"w0"', '"zero"')
    (folder / "tokenizer.json").write_text(text.replace('"[PAD]"', '"[FILL]"'))
    with pytest.raises(ModelError, match="different tokens"):
        distillation.lessons(teacher, Tokenizer(folder), sentences(), width=8)
