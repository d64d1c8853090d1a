"""Pairs refuse what cannot be scored; scores print and convert."""

from __future__ import annotations

import numpy as np
import pytest

import farthing
from farthing import Pairs, Scores
from farthing.core.errors import InputError, UsageError
from farthing.core.signature import Signature
from farthing.core.types import Note


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((["a"], [["b"], ["c"]]), "1 candidates but 2 references"),
        (("a", [["b"]]), "lists, not single strings"),
        ((["a"], ["b"]), "references of row 1 is a string"),
        ((["a"], [["b"]], ["s", "t"]), "1 candidates but 2 sources"),
    ],
)
def test_pairs_of_the_wrong_shape(arguments: tuple[object, ...], expected: str) -> None:
    with pytest.raises(UsageError, match=expected):
        Pairs(*arguments)  # type: ignore[arg-type]


def test_pairs_of_the_wrong_type_name_the_row() -> None:
    with pytest.raises(InputError, match="row 2: candidates must be text, found a missing value"):
        Pairs.of(["a", None], ["b", "c"])  # type: ignore[list-item]
    with pytest.raises(InputError, match="row 1: references must be text, found int"):
        Pairs.of(["a"], [[1]])  # type: ignore[list-item]


def test_one_reference_or_several() -> None:
    pairs = Pairs.of(["a", "b"], ["x", ["y", "z"]])
    assert [list(row) for row in pairs.references] == [["x"], ["y", "z"]]
    assert not Pairs.of(["a"]).has_references


@pytest.fixture
def scores() -> Scores:
    return Scores(
        corpus=0.5,
        segments=np.array([0.25, 0.75]),
        parts={"precision": np.array([0.1, 0.3]), "size": 3.0},
        notes=(Note("empty", "the candidate has no text", (1,)),),
        signature=Signature("x", {"a": 1}, "0"),
    )


def test_scores_print_as_a_small_table(scores: Scores) -> None:
    text = str(scores)
    assert text.splitlines()[0].split() == ["x", "0.5000"]
    assert "precision" in text
    assert "row 2" in text
    assert "x|a:1|farthing:0" in text


def test_scores_convert(scores: Scores) -> None:
    assert scores.to_dict()["segments"] == [0.25, 0.75]
    assert scores.to_arrow().column_names == ["x", "x_precision"]
    assert scores.to_pandas()["x"].tolist() == [0.25, 0.75]
    assert "<table" in scores._repr_html_()
    assert "&lt;" in farthing.Scores(1.0, None, Signature("<b>"))._repr_html_()


def test_note_lists_few_rows() -> None:
    assert str(Note("k", "m", tuple(range(8)))) == "k: m (row 1, 2, 3, 4, 5 and 3 more)"
    assert Note("k", "m", (0,)).shifted(10).rows == (10,)


def test_a_part_of_the_pairs_keeps_every_column() -> None:
    pairs = Pairs(list("abcd"), [["r"]] * 4, list("wxyz"), ["1", "2", "3", "4"], "s")
    some = pairs.part(1, 3)
    assert (some.candidates, some.sources, some.ids, some.system) == (["b", "c"], ["x", "y"], ["2", "3"], "s")
    assert pairs.part(0, 9) is pairs
    assert Pairs.of(["a", "b"]).part(1, 2).sources is None


def test_only_parts_with_one_value_per_pair_are_columns() -> None:
    parts = {"precision": np.array([0.1, 0.2]), "layers": np.zeros((3, 2)), "size": 3.0}
    scores = Scores(0.5, np.array([0.25, 0.75]), Signature("x", {}, "0"), parts)
    assert list(scores.columns()) == ["x", "x_precision"]
    assert Scores(0.5, None, Signature("x", {}, "0"), {"size": 3.0}).columns() == {}


def test_plain_values_are_what_json_can_hold(scores: Scores) -> None:
    import json

    plain = json.loads(json.dumps(scores.to_dict()))
    assert plain["parts"] == {"precision": [0.1, 0.3], "size": 3.0}
    assert plain["notes"] == [{"kind": "empty", "message": "the candidate has no text", "rows": [1]}]
    assert plain["ci"] is None
    assert repr(scores) == "<Scores x 0.5000, 2 pairs>"


def test_chosen_rows_keep_everything_that_belongs_to_them() -> None:
    pairs = Pairs(["a", "b", "c"], [["1"], ["2"], ["3"]], ["x", "y", "z"], ["i", "j", "k"], "s", ["d", "d", "e"])
    assert pairs.chosen([2, 0]) == Pairs(["c", "a"], [["3"], ["1"]], ["z", "x"], ["k", "i"], "s", ["e", "d"])
    assert Pairs(["a"], [[]]).chosen([]) == Pairs([], [])
