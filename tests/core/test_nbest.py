"""Lists of candidates: what they refuse, and their pairs."""

from __future__ import annotations

import pytest

from farthing.core.errors import UsageError
from farthing.core.nbest import NBest, crossed_pairs, crossed_rows


def test_pairs_go_list_after_list_and_candidate_after_candidate() -> None:
    pairs = crossed_pairs([NBest(["a", "b"], ["x", "y"], "s"), NBest(["c"], ["z"], "t")])
    assert pairs.candidates == ["a", "a", "b", "b", "c"]
    assert pairs.references == [["x"], ["y"], ["x"], ["y"], ["z"]]
    assert pairs.sources == ["s", "s", "s", "s", "t"]


def test_sources_count_only_if_every_list_has_one() -> None:
    assert crossed_pairs([NBest(["a"], ["x"], "s"), NBest(["c"], ["z"])]).sources is None


def test_rows_that_concern_us() -> None:
    one = NBest(["a", ""], ["", "y", "z"])
    expected = [
        row for row, (own, [other]) in enumerate(zip(crossed_pairs([one]).candidates, crossed_pairs([one]).references,
                                                     strict=True)) if not own or not other
    ]  # fmt: skip
    assert crossed_rows(one, lambda text: not text) == expected


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
