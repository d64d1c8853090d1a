"""Lists of candidates: what they refuse, and their pairs."""

from __future__ import annotations

import pytest

from farthing.core.errors import FarthingError, UsageError
from farthing.core.nbest import NBest, crossed_pairs, crossed_rows_with, nbest_lists, with_sides


def test_pairs_go_list_after_list_and_candidate_after_candidate() -> None:
    pairs = crossed_pairs([NBest(["a", "b"], ["x", "y"], "s"), NBest(["c"], ["z"], "t")])
    assert pairs.candidates == ["a", "a", "b", "b", "c"]
    assert pairs.references == [["x"], ["y"], ["x"], ["y"], ["z"]]
    assert pairs.sources == ["s", "s", "s", "s", "t"]


def test_sources_count_only_if_every_list_has_one() -> None:
    assert crossed_pairs([NBest(["a"], ["x"], "s"), NBest(["c"], ["z"])]).sources is None


def test_rows_with_some_texts() -> None:
    lists = [NBest(["a", "b"], ["x", "y"]), NBest(["b", "c"], ["a", "z"])]
    pairs = crossed_pairs(lists)
    rows = enumerate(zip(pairs.candidates, pairs.references, strict=True))
    for texts in ({"a"}, {"b", "z"}, {"nothing"}, set[str]()):
        expected = tuple(row for row, (own, [other]) in rows if {own, other} & texts)
        rows = enumerate(zip(pairs.candidates, pairs.references, strict=True))
        assert crossed_rows_with(lists, texts) == expected


@pytest.mark.parametrize(
    ("candidates", "weights", "told"),
    [
        ([], None, "has no candidates"),
        ("abc", None, "list of strings, not one string"),
        (["a", None], None, "not NoneType"),
        (None, None, "not NoneType"),
        (["a", "b"], [1.0], "2 candidates but 1 weights"),
        (["a", "b"], [1.0, -1.0], "must not be negative"),
        (["a", "b"], [0.0, 0.0], "at least one must be above 0"),
        (["a"], [float("nan")], "at least one must be above 0"),
    ],
)
def test_mistakes_get_a_sentence(candidates: list[str], weights: list[float] | None, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        NBest(candidates, weights=weights)


def test_references_and_sources_come_from_elsewhere() -> None:
    lists = [NBest(["a"], weights=[1]), NBest(["b"])]
    found = with_sides(lists, [["r"], ["q", "p"]], ["s", "t"])
    assert found == [NBest(["a"], ["r"], "s", [1]), NBest(["b"], ["q", "p"], "t")]
    with pytest.raises(UsageError, match="2 lists of candidates but 1 sources"):
        with_sides(lists, sources=["s"])


def test_lists_may_be_columns_and_generators() -> None:
    pandas = pytest.importorskip("pandas")
    expected = [NBest(["a", "b"]), NBest(["c"])]
    for texts in ([("a", "b"), ["c"]], (row for row in (["a", "b"], ["c"])), pandas.Series([["a", "b"], ["c"]])):
        assert nbest_lists(texts) == expected


@pytest.mark.parametrize(
    ("texts", "weights", "told"),
    [
        (["a", "b"], None, "candidates are one list of texts per segment"),
        ("ab", None, "is a single string"),
        (None, None, "candidates is None"),
        ([["a", 3]], None, "candidates must be text"),
        ([["a"], []], None, "has no candidates"),
        ([["a"]], [[1.0], [2.0]], "1 lists of candidates but 2 lists of weights"),
    ],
)
def test_lists_of_a_wrong_shape_get_a_sentence(texts: list[str], weights: list[list[float]] | None, told: str) -> None:
    with pytest.raises(FarthingError, match=told):
        nbest_lists(texts, weights)
