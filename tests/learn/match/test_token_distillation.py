"""Token distillation: the student's vectors come near the teacher's."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from farthing.core.errors import ModelError, UsageError
from farthing.encoders.backends.token_texts import Tokens
from farthing.encoders.tokens.tokenize import Tokenizer
from farthing.learn.data.lengths import bucketed
from farthing.learn.match import token_distillation as distillation
from farthing.learn.match.export import write_judge
from farthing.learn.match.model import Judge, text_batch
from farthing.learn.match.tokens import ContextualTokens, StaticTokens, load_transformer
from farthing.students.match import MatchStudent


@pytest.fixture(scope="module")
def teacher(tmp_path_factory: pytest.TempPathFactory, new_encoder: Callable[..., Path]) -> MatchStudent:
    start, target = (tmp_path_factory.mktemp(name) for name in ("start", "teacher"))
    tokens = ContextualTokens(load_transformer(new_encoder(start), 2))
    write_judge(Judge(tokens, hidden=2), start, target, floor=-1.0, about={})
    return MatchStudent(target, threads=1)


def sentences() -> list[str]:
    random = np.random.default_rng(2)
    return [" ".join(f"w{number}" for number in random.integers(0, 40, 6)) for _ in range(120)]


def test_the_student_comes_near(teacher: MatchStudent, tmp_path: Path, new_encoder: Callable[..., Path]) -> None:
    folder = new_encoder(tmp_path, width=16)
    tokenizer = Tokenizer(folder)
    given = distillation.lessons(teacher, tokenizer, sentences(), width=8)
    torch.manual_seed(0)
    student = ContextualTokens(load_transformer(folder, 1), torch.zeros(tokenizer.size, 8))
    student.start(*map(torch.from_numpy, distillation.first_table(given)))
    rows = list(range(20))
    with torch.no_grad():
        before = float(distillation.lesson_loss(student, distillation.lesson_batch(tokenizer, given, rows)))
    distillation.distil_tokens(student, tokenizer, given, distillation.token_settings(8, 3e-3, seed=1))
    with torch.no_grad():
        after = float(distillation.lesson_loss(student, distillation.lesson_batch(tokenizer, given, rows)))
    assert after < 0.7 * before


def test_texts_of_the_same_tokens_are_one_lesson(teacher: MatchStudent) -> None:
    given = distillation.lessons(teacher, teacher.tokenizer, ["w1 w2", " w1  w2", "w3 w2"], width=8)
    assert len(given) == len(given.vectors) == 2
    batch = distillation.lesson_batch(teacher.tokenizer, given, [0, 1])
    assert int(batch.texts.body.sum()) == len(batch.vectors)


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


def test_a_table_with_a_window_learns_from_a_transformer(teacher: MatchStudent) -> None:
    given = distillation.lessons(teacher, teacher.tokenizer, sentences(), width=8)
    torch.manual_seed(0)
    plain, seeing = (StaticTokens(teacher.tokenizer.size, width=8, near=16, window=window) for window in (0, 2))
    losses = []
    for student in (plain, seeing):
        student.start(*map(torch.from_numpy, distillation.first_table(given)))
        distillation.distil_tokens(student, teacher.tokenizer, given, distillation.token_settings(30, 1e-2, seed=1))
        with torch.no_grad():
            batch = distillation.lesson_batch(teacher.tokenizer, given, list(range(40)))
            losses.append(float(distillation.lesson_loss(student, batch)))
    assert losses[1] < 0.8 * losses[0]


def test_teacher_and_student_must_share_their_tokens(
    teacher: MatchStudent, tmp_path: Path, new_encoder: Callable[..., Path]
) -> None:
    folder = new_encoder(tmp_path)
    text = (folder / "tokenizer.json").read_text().replace('"w39"', '"other"').replace('"w0"', '"zero"')
    (folder / "tokenizer.json").write_text(text.replace('"[PAD]"', '"[FILL]"'))
    with pytest.raises(ModelError, match="different tokens"):
        distillation.lessons(teacher, Tokenizer(folder), sentences(), width=8)


def test_a_teacher_may_number_the_same_tokens_otherwise(
    teacher: MatchStudent, tmp_path: Path, new_encoder: Callable[..., Path]
) -> None:
    folder = new_encoder(tmp_path)
    told = json.loads((folder / "tokenizer.json").read_text())
    words = list(told["model"]["vocab"])
    told["model"]["vocab"] = {word: place for place, word in enumerate([*words[:4], *reversed(words[4:])])}
    (folder / "tokenizer.json").write_text(json.dumps(told))
    student = Tokenizer(folder)
    plain, other = (distillation.lessons(teacher, one, sentences(), width=8) for one in (teacher.tokenizer, student))
    assert plain.ids != other.ids
    assert all(np.array_equal(one, two) for one, two in zip(plain.vectors, other.vectors, strict=True))
    order = [teacher.tokenizer.number(student.token(one)) for one in range(student.size)]
    assert np.array_equal(plain.alone.vectors[order], other.alone.vectors)


def test_vectors_are_turned_to_where_the_student_is(encoder: Path) -> None:
    student, tokenizer = ContextualTokens(load_transformer(encoder, 1)), Tokenizer(encoder)
    ids = tokenizer.contents(sentences())
    batch = text_batch([tokenizer.wrapped(row) for row in ids], tokenizer.pad, (1, 1))
    with torch.no_grad():
        own = student(batch.ids, batch.mask)[0][batch.body.bool()].numpy()
    away = np.linalg.qr(np.random.default_rng(3).normal(size=(own.shape[1], own.shape[1])))[0]
    ends = np.cumsum([len(row) for row in ids])[:-1]
    given = distillation.Lessons(ids, np.split(own @ away, ends), [], Tokens(own, own[:, 0]))
    found = distillation.turned(replace(given, weights=[np.ones(len(row)) for row in ids]), student, tokenizer)
    assert np.abs(np.concatenate(found.vectors) - own).max() < 2e-3


def test_training_equals_a_plain_torch_loop_bit_for_bit(teacher: MatchStudent) -> None:
    given = distillation.lessons(teacher, teacher.tokenizer, sentences(), width=8)
    students = []
    for _ in range(2):
        torch.manual_seed(0)
        students.append(StaticTokens(teacher.tokenizer.size, width=8, near=16, window=2))
    distillation.distil_tokens(students[0], teacher.tokenizer, given, distillation.token_settings(2, 1e-2, seed=1))
    optimiser = torch.optim.AdamW(students[1].parameters(), lr=1e-2, weight_decay=0.01, fused=True)
    lengths = [len(ids) for ids in given.ids]
    orders = [bucketed(lengths, 64, 1, epoch) for epoch in range(2)]
    batches = [order[at : at + 64] for order in orders for at in range(0, len(order), 64)]
    pace = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda n: min(1.0, (n + 1) / 50) * (1 - n / len(batches)))
    for rows in batches:
        loss = distillation.lesson_loss(students[1], distillation.lesson_batch(teacher.tokenizer, given, rows))
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(students[1].parameters(), 1.0)
        optimiser.step()
        pace.step()
    states = [student.state_dict() for student in students]
    assert all(torch.equal(value, states[1][name]) for name, value in states[0].items())


def test_sentences_are_drawn_within_their_lengths(tmp_path: Path) -> None:
    path = tmp_path / "corpus.tsv"
    path.write_text("".join(f"news\t{' '.join(['w'] * n)}\n" for n in range(1, 80)))
    texts = distillation.read_sentences(path, 1000, seed=1)
    assert sorted(len(text.split()) for text in texts) == list(range(3, 61))
    assert texts[:5] == distillation.read_sentences(path, 5, seed=1)


def test_without_any_text_there_is_nothing_to_learn(teacher: MatchStudent) -> None:
    with pytest.raises(UsageError, match="no text to distil from"):
        distillation.lessons(teacher, teacher.tokenizer, ["", " "], width=8)
