"""A student at work: the rules for equal, empty, long and several references, and alignments."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors.numpy import load_file, save_file

from farthing.core.errors import ModelError
from farthing.core.types import Pairs
from farthing.students.head import Head
from farthing.students.match import Student, texts_of

SENTENCE = st.lists(st.sampled_from(["the", "cat", "sat", "on", "mat", "dog", "unheard"]), min_size=1, max_size=8).map(
    " ".join
)


def scores(student: Student, candidates: list[str], references: list[list[str]]) -> list[float]:
    pairs = Pairs(candidates, references)
    return student.scores(pairs, student.read(texts_of(pairs))).tolist()


def test_equal_texts_score_100(student_folder: Path) -> None:
    assert scores(Student(student_folder), ["the cat sat"], [["the cat sat"]]) == [100.0]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(candidate=SENTENCE, reference=SENTENCE)
def test_equal_texts_score_100_and_no_others(student_folder: Path, candidate: str, reference: str) -> None:
    [found] = scores(Student(student_folder), [candidate], [[reference]])
    assert found == 100.0 if candidate == reference else found < 100.0


def test_the_scale_is_a_straight_line_that_bends_below_100() -> None:
    """A head whose value is minus its one feature: at 0 it reads 100, at -2 it reads 0."""
    one = np.ones((1, 1))
    head = Head.of({"scale": one[0], "top": 0.0, "linear": -one, "hidden": 0 * one, "hidden_bias": 0 * one[0],
                    "out": 0 * one, "floor": -2.0})  # fmt: skip
    found = head.scores(np.array([[2.0], [1.0], [0.2], [0.001], [-0.01], [-0.1], [-9.0], [0.0]]))
    assert found[:3] == pytest.approx([0.0, 50.0, 90.0], abs=1e-3)
    assert (np.diff(found[:6]) > 0).all()  # what the head likes better than equal texts keeps its order
    assert (found[:-1] < 100).all()
    assert found[-1] == 100.0


def test_an_empty_text_scores_0_unless_both_are_empty(student_folder: Path) -> None:
    found = scores(Student(student_folder), ["", "the cat", "", " "], [["the cat"], [""], [""], [""]])
    assert found == [0.0, 0.0, 100.0, 100.0]


def test_of_several_references_the_best_counts(student_folder: Path) -> None:
    student = Student(student_folder)
    single = scores(student, ["the cat sat", "the cat sat"], [["a dog ran far"], ["the cat ran"]])
    [both] = scores(student, ["the cat sat"], [["a dog ran far", "the cat ran"]])
    assert both == max(single)


def test_a_score_does_not_depend_on_mates_or_order(student_folder: Path) -> None:
    student = Student(student_folder)
    candidates = ["the cat sat", "a dog ran", "the mat"]
    references = [["the cat ran"], ["a cat ran far"], ["on the mat"]]
    together = scores(student, candidates, references)
    alone = [scores(student, [a], [b])[0] for a, b in zip(candidates, references, strict=True)]
    # products of matrices add up in another order at another place of an array: the last digits of float32 may differ
    assert together == pytest.approx(alone, abs=1e-4)
    assert scores(student, candidates[::-1], references[::-1]) == pytest.approx(together[::-1], abs=1e-4)


def test_long_texts_are_noted(student_folder: Path) -> None:
    student = Student(student_folder)
    pairs = Pairs(["the cat", "the " * 30], [["the cat"], ["the mat"]])
    [note] = student.notes(pairs, student.read(texts_of(pairs)))
    assert (note.kind, note.rows) == ("truncated", (1,))


def test_the_alignment_shows_the_nearest_tokens(student_folder: Path) -> None:
    found = Student(student_folder).align("The cat sat", "the dog sat on")
    assert found.candidate_tokens == ("the", "cat", "sat")
    assert found.matches[0] == 0
    assert found.matches[2] == 2
    assert found.similarity.shape == (3, 4)
    assert found.candidate_weights.sum() == pytest.approx(1)
    assert found.parts["score"] < 100


def test_a_text_without_tokens_cannot_be_aligned(student_folder: Path) -> None:
    with pytest.raises(ModelError, match="nothing to align"):
        Student(student_folder).align("", "the cat")


def test_an_unknown_kind_is_named(student_folder: Path) -> None:
    (student_folder / "config.json").write_text('{"farthing": {"kind": "oracle"}}')
    with pytest.raises(ModelError, match="unknown kind 'oracle'"):
        Student(student_folder)


def test_a_broken_head_is_named(student_folder: Path) -> None:
    arrays = load_file(student_folder / "head.safetensors")
    save_file({"scale": arrays["scale"]}, student_folder / "head.safetensors")
    with pytest.raises(ModelError, match="has no 'top'"):
        Student(student_folder)


def test_a_missing_table_is_named(student_folder: Path) -> None:
    (student_folder / "tokens.safetensors").write_bytes(b"nothing")
    with pytest.raises(ModelError, match=r"tokens\.safetensors is no table"):
        Student(student_folder)


def test_the_head_is_cut_at_the_value_of_equal_texts(student_folder: Path) -> None:
    head = Student(student_folder).head
    above = -1e3 * np.sign(head.linear)[None] * (head.linear != 0)
    assert head.raw(-above)[0] <= head.top
    assert head.scores(np.zeros((1, len(head.scale)))).tolist() == [100.0]
