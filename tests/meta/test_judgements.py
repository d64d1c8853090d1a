"""Judgements in memory: the grid of a group, one column, some groups, some rows."""

from __future__ import annotations

import numpy as np
import pytest

from farthing.core.errors import UnknownName, UsageError
from farthing.core.types import Pairs
from farthing.meta.judgements import Judgements, matching

NAN = float("nan")


def three(**more: object) -> Judgements:
    """Outputs of A for items 1 and 2 and of B for item 2, and one of C in another group."""
    texts = Pairs.of(["a1", "a2", "b2", "c1"], ["r1", "r2", "r2", "q1"], ["s1", "s2", "s2", "t1"])
    scores = {"da": np.array([1.0, 2.0, NAN, 4.0]), "none": np.full(4, NAN)}
    groups = ("de-en", "de-en", "de-en", "cs-en")
    settings: dict[str, object] = {"lines": np.arange(4), "length": 4, "path": "x.jsonl", **more}
    return Judgements(texts, ("A", "A", "B", "C"), ("1", "2", "2", "1"), groups, scores, **settings)  # type: ignore[arg-type]


def test_a_grid_has_a_gap_if_a_system_lacks_an_output() -> None:
    grid, other = three().grids()
    assert (grid.group, grid.systems, grid.items) == ("de-en", ("A", "B"), ("1", "2"))
    assert grid.rows.tolist() == [[0, 1], [-1, 2]]
    assert (grid.complete, other.complete) == (False, True)
    assert grid.spread(np.array([5.0, 6.0, 7.0, 8.0])) == pytest.approx(np.array([[5, 6], [NAN, 7]]), nan_ok=True)


def test_a_column_is_the_first_or_the_named_one() -> None:
    assert three().judged()[1] == three().judged("da")[1] == 2
    with pytest.raises(UnknownName, match="did you mean 'da'"):
        three().judged("dda")
    with pytest.raises(UsageError, match="'none' has no score in it"):
        three().judged("none")
    empty = Judgements(three().texts, ("A",) * 4, ("1",) * 4, ("all",) * 4, {}, path="x.jsonl")
    with pytest.raises(UsageError, match="no column of human scores; name it with --human"):
        empty.judged()


def test_some_groups_by_name_or_wildcard() -> None:
    assert three().only(["cs-en"]).systems == ("C",)
    assert len(three().only(["*-en"])) == 4
    assert three().only(["d?-en", "cs-en"]).groups == three().groups
    with pytest.raises(UnknownName, match=r"unknown group 'en-\*'"):
        three().only(["en-*"])


def test_a_group_whose_name_looks_like_a_pattern_is_found() -> None:
    assert matching("[a]", ["[a]", "a"]) == ["[a]", "a"]


def test_rows_are_taken_with_all_their_columns() -> None:
    taken = three().taking([3, 0])
    assert list(taken.texts.candidates) == ["c1", "a1"]
    assert list(taken.texts.sources or ()) == ["t1", "s1"]
    assert (taken.systems, taken.items, taken.groups) == (("C", "A"), ("1", "1"), ("cs-en", "de-en"))
    assert taken.scores["da"].tolist() == [4, 1]
    assert taken.lines.tolist() == [3, 0]
    assert taken.length == 4
