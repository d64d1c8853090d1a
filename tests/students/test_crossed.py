"""Scores of whole lists against those of single pairs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from farthing.core.nbest import NBest, crossed_pairs
from farthing.core.types import Pairs
from farthing.encoders.tokens.id_rows import IdRows
from farthing.students import crossed
from farthing.students.crossed import CrossedSurface, crossed_differences, crossed_scores
from farthing.students.head import GAPS, text_gaps
from farthing.students.match import MatchStudent
from farthing.students.surface import surface_gaps
from farthing.students.texts import ReadTexts, TextTokens
from farthing.text.split import split_texts

TEXT = st.text(alphabet="ab c,.é", max_size=30)
WORDS = st.lists(st.sampled_from(["the", "cat", "sat", "on", "Mat", "dog", "unheard", ","]), max_size=8).map(" ".join)


@settings(max_examples=60)
@given(st.lists(TEXT, min_size=1, max_size=6), st.lists(TEXT, min_size=1, max_size=6))
def test_surface_is_that_of_pairs(candidates: list[str], references: list[str]) -> None:
    found = CrossedSurface(candidates, references).gaps(slice(None))
    for row, candidate in enumerate(candidates):
        expected = surface_gaps([candidate] * len(references), references)
        others = [place for place, text in enumerate(references) if text != candidate]  # equal texts need no features
        assert found[row][others] == pytest.approx(expected[others], abs=1e-12)


def test_surface_of_many_texts_and_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """More texts than fit beside a hash in 32 bits, and more n-grams than one product takes."""
    monkeypatch.setattr(crossed, "_COLUMNS", 7)
    random = np.random.default_rng(1)
    texts = ["".join(random.choice(list("abc ,"), random.integers(0, 12))) for _ in range(140)]
    distinct = list(dict.fromkeys(texts))
    found = CrossedSurface(distinct, distinct).gaps(slice(None))
    for row in (0, 5, len(distinct) - 1):
        expected = surface_gaps([distinct[row]] * len(distinct), distinct)
        others = np.arange(len(distinct)) != row  # what a text has in common with itself is not counted
        assert found[row][others] == pytest.approx(expected[others], abs=1e-12)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.lists(WORDS, min_size=1, max_size=5), st.lists(WORDS, min_size=1, max_size=5)), max_size=3),
    st.lists(WORDS, min_size=1, max_size=5),
    st.sampled_from([1, 4, 1000]),
)
def test_scores_are_those_of_pairs(
    student_folder: Path, others: list[tuple[list[str], list[str]]], own: list[str], size: int
) -> None:
    student = MatchStudent(student_folder)
    lists = [*(NBest(candidates, references) for candidates, references in others), NBest(own, own)]
    kept, crossed.PAIRS = crossed.PAIRS, size
    try:
        found = crossed_scores(student, lists)
    finally:
        crossed.PAIRS = kept
    [expected] = student.score_systems([crossed_pairs(lists)])
    assert found.segments == pytest.approx(expected.segments, abs=1e-6)


def test_long_texts_are_noted(student_folder: Path) -> None:
    student = MatchStudent(student_folder)
    lists = [NBest(["the cat", "the mat"], ["a dog"]), NBest(["the " * 30, "the cat"], ["a", "b"])]
    found = crossed_scores(student, lists)
    [expected] = student.score_systems([crossed_pairs(lists)])
    assert found.notes == expected.notes
    assert found.notes[0].rows == (2, 3)


def test_the_embedded_students_agree_with_themselves() -> None:
    from farthing.encoders.folder.locate import EMBEDDED

    texts = ["The cat sat on the mat.", "A cat was sitting on the mat.", "Dogs bark.", "", "The cat sat on the mat!"]
    for size in ("nano", "small"):
        student = MatchStudent(EMBEDDED / size)
        found = crossed_scores(student, [NBest(texts, texts)]).segments.reshape(5, 5)
        for row, text in enumerate(texts):
            [alone] = student.score_systems([Pairs([text] * 5, [[other] for other in texts])])
            assert found[row] == pytest.approx(alone.segments, abs=1e-4)  # pairs: single precision


@settings(max_examples=30)
@given(st.lists(WORDS, min_size=1, max_size=4), st.lists(WORDS, min_size=1, max_size=4))
def test_all_groups_of_features_are_those_of_pairs(candidates: list[str], references: list[str]) -> None:
    one, groups = NBest(candidates, references), ("surface", "languages", "case")
    distinct = list(dict.fromkeys((*candidates, *references)))
    without_tokens = TextTokens(distinct, IdRows.of([[] for _ in distinct]), lambda contents: [])
    texts = ReadTexts(without_tokens, frozenset(), split_texts(distinct))
    [(found, _)] = crossed_differences(one, texts, groups)
    pairs = [(candidate, reference) for candidate in candidates for reference in references]
    expected = text_gaps([own for own, _ in pairs], [other for _, other in pairs], groups)
    others = [row for row, (own, other) in enumerate(pairs) if own != other]  # equal texts need no features
    assert found.features[others, len(GAPS) :] == pytest.approx(expected[others], abs=1e-12)
