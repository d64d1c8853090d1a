"""Which words are wrong: marks of experts, differences to a post-edit, and the tokens that they fall on."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from farthing.core.errors import InputError
from farthing.learn.data.marks import edited_spans, token_marks, with_error_scores, wrong_spans


def parts(candidate: str, edit: str) -> list[str]:
    return [candidate[first:last] for first, last in edited_spans(candidate, edit)]


@pytest.mark.parametrize(
    ("candidate", "edit", "wrong"),
    [
        ("the cat sat", "the cat sat", []),
        ("The cat sat.", "the cat sat .", []),
        ("the dog sat on", "the cat sat", ["dog", "on"]),
        ("", "something", []),
        ("das ist 这是一条横渡唐河", "das ist 这是横渡唐河", ["一", "条"]),
        ("a b c", "x y", ["a", "b", "c"]),
    ],
)
def test_words_that_a_post_edit_changed(candidate: str, edit: str, wrong: list[str]) -> None:
    assert parts(candidate, edit) == wrong


def test_marks_of_experts_are_taken_as_they_are() -> None:
    assert wrong_spans("abc def", [{"start": 1, "end": 3, "severity": "major"}]) == [(1, 3)]
    assert wrong_spans("abc def", []) == []
    assert wrong_spans("abc", None) is None
    assert wrong_spans("abc", " ") is None
    with pytest.raises(InputError, match="start"):
        wrong_spans("abc", [{"begin": 1}])


def test_tokens_get_the_mark_of_most_of_their_characters() -> None:
    random = np.random.default_rng(4)
    for _ in range(50):
        bounds = np.sort(random.choice(30, 6, replace=False))
        tokens = [(int(first), int(last)) for first, last in pairwise(bounds)]
        letters = random.random(30) < 0.4
        wrong = [(int(place), int(place) + 1) for place in np.flatnonzero(letters)]
        wanted = [float(letters[first:last].mean() > 0.5) for first, last in tokens]
        assert token_marks(tokens, wrong).tolist() == wanted


def test_unknown_marks_and_tokens_without_characters() -> None:
    assert np.isnan(token_marks([(0, 2)], None)).all()
    assert np.isnan(token_marks([(2, 2)], [(0, 5)])).all()


def test_marked_errors_make_a_score_if_there_is_none() -> None:
    spans = [{"start": 0, "end": 1, "severity": severity} for severity in ("major", "minor", "minor")]
    assert with_error_scores({"spans": spans}) == {"spans": spans, "score": -7.0}
    assert with_error_scores({"spans": []})["score"] == 0
    assert with_error_scores({"spans": spans, "score": 3})["score"] == 3
    assert with_error_scores({"text": "a"}) == {"text": "a"}
