"""The longest common subsequence against the table of the textbook and against rouge-score."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farthing.text.subsequence import common_length, common_places

WORDS = st.lists(st.sampled_from("abcd"), max_size=30)


def table_length(left: list[str], right: list[str]) -> int:
    table = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            table[i + 1][j + 1] = table[i][j] + 1 if a == b else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


@given(WORDS, WORDS)
def test_the_length_is_the_table_s(left: list[str], right: list[str]) -> None:
    assert common_length(left, right) == table_length(left, right) == common_length(right, left)


@given(WORDS, WORDS)
def test_the_places_are_a_longest_common_subsequence(left: list[str], right: list[str]) -> None:
    places = common_places(left, right)
    assert places == sorted(set(places))
    assert len(places) == table_length(left, right)
    rest = iter(right)
    assert all(left[place] in rest for place in places)  # in order in the other list, too


@given(WORDS, WORDS)
def test_of_several_it_is_the_one_of_rouge_score(left: list[str], right: list[str]) -> None:
    scorer = pytest.importorskip("rouge_score.rouge_scorer", reason="rouge-score is not installed")
    assert common_places(left, right) == scorer.lcs_ind(left, right)


def test_long_lists_are_no_trouble() -> None:
    assert common_length(["a", "b"] * 3000, ["b", "c"] * 3000) == 3000
