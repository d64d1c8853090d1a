"""A student that marks words: by hand on tiny students, for all kinds of texts."""

from __future__ import annotations

import unicodedata
from math import exp
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from farthing.core.errors import MissingInput
from farthing.core.explanation import NOT_LEARNED, Mark
from farthing.core.types import Pairs
from farthing.students.layout import add_facts
from farthing.students.marks import LearnedMarks, error_probabilities
from farthing.students.match import MatchStudent
from farthing.students.student import PairOptions


def by_word(text: str, marks: list[Mark]) -> dict[str, float]:
    return {text[mark["start"] : mark["end"]]: mark["probability"] for mark in marks}


def learn_marks(folder: Path, width: int = 6) -> None:
    """Give a student arrays for marks."""
    random = np.random.default_rng(5)
    path = folder / "head.safetensors"
    arrays = {
        **load_file(path), "mark_in": random.normal(size=(4, 2 * width + 5)), "mark_bias": random.normal(size=4),
        "mark_out": random.normal(size=4), "mark_top": np.array(0.25),
    }  # fmt: skip
    save_file({name: array.astype(np.float32) for name, array in arrays.items()}, path)


def test_words_by_hand(student_folder: Path) -> None:
    """Every word is one token here, so that a word's probability is its token's."""
    student = MatchStudent(student_folder)
    candidate, reference = "  The dog sat", "a cat sat far"
    [found] = student.explain(Pairs([candidate], [[reference]]))
    alignment = student.align(candidate, reference)
    gaps = [1 - alignment.similarity.max(axis=axis).astype(float) for axis in (1, 0)]
    for text, marks, gap in ((candidate, found.errors, gaps[0]), (reference, found.omissions, gaps[1])):
        shown = by_word(text, marks)
        assert list(shown) == text.split()
        assert list(shown.values()) == pytest.approx(
            [1 / (1 + exp(-8 * (max(one, 0) - 0.42))) for one in gap], abs=1e-5
        )
    assert (found.candidate, found.reference, found.counted) == (candidate, reference, 0)
    assert found.notes == (NOT_LEARNED,)


def test_learned_marks_are_those_of_the_head_in_both_directions(student_folder: Path) -> None:
    learn_marks(student_folder)
    student = MatchStudent(student_folder)
    candidate, reference = "the dog sat", "a cat sat far"
    [found] = student.explain(Pairs([candidate], [[reference]]))
    first, second = (student.read([text]).tokens[text] for text in (candidate, reference))
    head = LearnedMarks.read(student_folder / "head.safetensors", 6)
    assert head is not None
    assert first is not None
    assert second is not None
    assert list(by_word(candidate, found.errors).values()) == pytest.approx(error_probabilities(first, second, head))
    assert list(by_word(reference, found.omissions).values()) == pytest.approx(error_probabilities(second, first, head))
    assert found.notes == ()
    assert found.learned


def test_marks_do_not_change_scores(student_folder: Path) -> None:
    pairs = Pairs(["the dog sat"], [["a cat sat far"]])
    [before] = MatchStudent(student_folder).score_systems([pairs])
    learn_marks(student_folder)
    [after] = MatchStudent(student_folder).score_systems([pairs])
    assert before.segments.tolist() == after.segments.tolist()


def test_the_best_reference_counts(student_folder: Path) -> None:
    student = MatchStudent(student_folder)
    rows = [["a dog ran", "the cat sat"], ["far"], ["on mat", "the", "a dog ran"]]
    candidates = ["the cat sat", "the cat", "a dog"]
    found = student.explain(Pairs(candidates, rows))
    for one, candidate, references in zip(found, candidates, rows, strict=True):
        scores = [student.score_systems([Pairs([candidate], [[text]])])[0].segments[0] for text in references]
        assert one.counted == int(np.argmax(scores))
        assert one.reference == references[one.counted]
        [alone] = student.explain(Pairs([candidate], [references]))  # neighbours make no difference
        assert by_word(candidate, alone.errors) == pytest.approx(by_word(candidate, one.errors), abs=1e-5)


def test_a_text_without_tokens_has_nothing_to_mark_and_lacks_all(student_folder: Path) -> None:
    empty, added, neither = MatchStudent(student_folder).explain(Pairs([" ", "the cat", ""], [["the cat"], [""], [""]]))
    assert (empty.errors, by_word("the cat", empty.omissions)) == ([], {"the": 1.0, "cat": 1.0})
    assert (by_word("the cat", added.errors), added.omissions) == ({"the": 1.0, "cat": 1.0}, [])
    assert (neither.errors, neither.omissions) == ([], [])


def test_words_that_were_not_read_have_no_mark(student_folder: Path) -> None:
    student = MatchStudent(student_folder, PairOptions(long="truncate"))
    long = " ".join(["cat"] * 20)
    long_one, short = student.explain(Pairs([long, "the cat"], [["the cat"], ["the cat"]]))
    assert len(long_one.errors) == student.tokenizer.room == 12
    assert [note.kind for note in long_one.notes] == ["truncated", "marks"]
    assert short.notes == (NOT_LEARNED,)


FORMS = ("NFC", "NFD")
TEXT = " the caté, 世界 👍🏽 the\u00a0mat"
WORDS = ["the", "caté", ",", "世", "界", "👍🏽", "the", "mat"]


@pytest.mark.parametrize("form", FORMS)
def test_offsets_are_those_of_the_text_as_it_was_given(student_folder: Path, form: str) -> None:
    text = unicodedata.normalize(form, TEXT)  # type: ignore[arg-type]
    [found] = MatchStudent(student_folder).explain(Pairs([text], [["the mat"]]))
    assert [text[mark["start"] : mark["end"]] for mark in found.errors] == [
        unicodedata.normalize(form, word)
        for word in WORDS  # type: ignore[arg-type]
    ]
    assert found.candidate == text


def test_the_unicode_form_makes_no_difference(student_folder: Path) -> None:
    student = MatchStudent(student_folder)
    both = [student.explain(Pairs([unicodedata.normalize(form, TEXT)], [["the mat"]]))[0] for form in FORMS]  # type: ignore[arg-type]
    assert next([mark["probability"] for mark in one.errors] for one in both) == [
        mark["probability"] for mark in both[1].errors
    ]


def test_a_language_that_it_does_not_read_is_noted(student_folder: Path) -> None:
    add_facts(student_folder, reads=["en"])
    pairs = Pairs(["Wir waren gestern alle sehr müde und hungrig."], [["the cat sat"]])
    [found] = MatchStudent(student_folder).explain(pairs)
    assert [(note.kind, note.rows) for note in found.notes] == [("unread", ()), ("marks", ())]


def test_omissions_are_in_the_source_for_a_student_that_compares_with_sources(
    sharing_folders: tuple[Path, Path],
) -> None:
    student = MatchStudent(sharing_folders[1])
    source, candidate = "the cat sat on", "a cat"
    [found] = student.explain(Pairs([candidate], [["never looked at"]], [source]))
    assert (found.candidate, found.reference, found.counted) == (candidate, source, None)
    assert list(by_word(candidate, found.errors)) == ["a", "cat"]
    assert list(by_word(source, found.omissions)) == ["the", "cat", "sat", "on"]
    assert list(found.texts()) == ["candidate", "source"]
    with pytest.raises(MissingInput, match="compares with sources"):
        student.explain(Pairs([candidate], [["a"]]))
