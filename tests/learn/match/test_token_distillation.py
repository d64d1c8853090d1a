"""Token distillation: the student's vectors come near the teacher's."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from farthing.core.errors import ModelError
from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.learn.match import token_distillation as distillation
from farthing.learn.match.export import write_student
from farthing.learn.match.model import Judge
from farthing.learn.match.tokens import ContextualTokens, StaticTokens, load_transformer
from farthing.students import surface
from farthing.students.gaps import Tokens
from farthing.students.match import Student


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
    student.start(*map(torch.from_numpy, distillation.first_table(given)))
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


def made_up(count: int) -> distillation.Lessons:
    """Sixty ids of which the last ten never occur, and whose vectors in context are a map of those alone."""
    random = np.random.default_rng(4)
    alone = random.normal(size=(60, 5))
    inside = alone @ random.normal(size=(5, 3))
    ids = [random.integers(0, 50, 8).tolist() for _ in range(count)]
    return distillation.Lessons(
        ids, [inside[row] for row in ids], [np.exp(alone[row, 0]) for row in ids],
        Tokens(alone, np.exp(alone[:, 0])),
    )  # fmt: skip


def test_a_frequent_token_begins_at_the_mean_of_its_vectors() -> None:
    given = made_up(2000)
    vectors, weights = distillation.first_table(given)
    place = given.ids[0][0]
    assert vectors[place] == pytest.approx(given.vectors[0][0], abs=1e-2)
    assert weights[place] == pytest.approx(given.weights[0][0], rel=1e-2)


def test_a_token_that_never_occurs_begins_where_the_others_lead() -> None:
    given = made_up(2000)
    vectors, weights = distillation.first_table(given)
    map_ = np.linalg.lstsq(given.alone.vectors[given.ids[0]], given.vectors[0], rcond=None)[0]
    assert vectors[50:] == pytest.approx(given.alone.vectors[50:] @ map_, abs=1e-2)
    assert weights[50:] == pytest.approx(given.alone.weights[50:], rel=1e-2)


def test_a_table_with_a_window_learns_from_a_transformer(teacher: Student) -> None:
    given = distillation.lessons(teacher, teacher.tokenizer, sentences(), width=8)
    torch.manual_seed(0)
    plain, seeing = (StaticTokens(teacher.tokenizer.size, width=8, near=16, window=window) for window in (0, 2))
    losses = []
    for student in (plain, seeing):
        student.start(*map(torch.from_numpy, distillation.first_table(given)))
        distillation.distil_tokens(student, teacher.tokenizer, given, epochs=30, rate=1e-2, seed=1)
        with torch.no_grad():
            losses.append(float(distillation._loss(student, teacher.tokenizer, given, list(range(40)))))
    assert losses[1] < 0.8 * losses[0]


def test_teacher_and_student_must_share_their_tokens(
    teacher: Student, tmp_path: Path, new_encoder: Callable[..., Path]
) -> None:
    folder = new_encoder(tmp_path)
    text = (folder / "tokenizer.json").read_text().replace('"w39"', '"other"').replace('"w0"', '"zero"')
    (folder / "tokenizer.json").write_text(text.replace('"[PAD]"', '"[FILL]"'))
    with pytest.raises(ModelError, match="different tokens"):
        distillation.lessons(teacher, Tokenizer(folder), sentences(), width=8)
