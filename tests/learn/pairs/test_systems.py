"""Texts that several authors wrote for one item."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from farthing.core.errors import InputError, UsageError
from farthing.learn.pairs.base import TrainingPair

Draw = Callable[..., list[TrainingPair]]


def written(path: Path, *rows: object) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_outputs_meet_their_reference_or_each_other(tmp_path: Path, pairs_of: Draw) -> None:
    systems = {"a": {"output": ["a0", "a1"]}, "b": ["b0", "b1"]}
    file = written(tmp_path / "s.jsonl", {"reference": ["r0", "r1"], "systems": systems})
    pairs = pairs_of("systems", 2000, file=file)
    assert all(pair.candidate[1] == pair.reference[1] == str(int(pair.document[-1]) - 1) for pair in pairs)
    assert all(pair.candidate[0] == pair.generator for pair in pairs)
    between = [pair for pair in pairs if pair.reference_generator != "reference"]
    assert 0.22 < len(between) / len(pairs) < 0.28
    assert all(pair.generator != pair.reference_generator for pair in between)


def test_several_outputs_of_a_segment_meet_the_same_text(tmp_path: Path, pairs_of: Draw) -> None:
    systems = {name: [f"{name}0", f"{name}1"] for name in "abcde"}
    file = written(tmp_path / "s.jsonl", {"reference": ["r0", "r1"], "systems": systems})
    pairs = pairs_of("systems", 600, file=file, each=3)
    drawn = [pairs[begin : begin + 3] for begin in range(0, 600, 3)]
    assert all(len({(pair.reference, pair.document) for pair in some}) == 1 for some in drawn)
    assert all(len({pair.generator for pair in some} | {some[0].reference_generator}) == 4 for some in drawn)
    assert {pair.generator for pair in pairs} == set("abcde")
    with pytest.raises(UsageError, match="each must be at least 1"):
        pairs_of("systems", 1, file=file, each=0)


def test_fewer_systems_than_asked_for_give_fewer_outputs(tmp_path: Path, pairs_of: Draw) -> None:
    file = written(tmp_path / "s.jsonl", {"reference": ["r"], "systems": {"a": ["x"], "b": ["y"]}})
    assert {pair.candidate for pair in pairs_of("systems", 40, file=file, each=5)} == {"x", "y"}


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"reference": ["r"], "systems": {"a": ["x"]}}, "at least two `systems`"),
        ({"reference": "r", "systems": {"a": ["x"], "b": ["y"]}}, "a list `reference`"),
        ({"reference": ["r"], "systems": {"a": ["x"], "b": []}}, "b has 0 outputs for 1 references"),
    ],
)
def test_rows_that_are_no_test_set(tmp_path: Path, row: object, words: str, pairs_of: Draw) -> None:
    with pytest.raises(InputError, match=rf"s\.jsonl:1: .*{words}"):
        pairs_of("systems", 1, file=written(tmp_path / "s.jsonl", row))


def test_captions_are_two_of_one_picture(tmp_path: Path, pairs_of: Draw) -> None:
    rows = [{"captions": [f"{n}{letter}" for letter in "abc"]} for n in range(4)]
    pairs = pairs_of("captions", 300, file=written(tmp_path / "c.jsonl", *rows))
    assert all(pair.candidate[0] == pair.reference[0] == str(int(pair.document) - 1) for pair in pairs)
    assert len({(pair.candidate, pair.reference) for pair in pairs}) == 4 * 6  # every ordered pair
    with pytest.raises(InputError, match=":2: the column 'captions'"):
        pairs_of("captions", 1, file=written(tmp_path / "c.jsonl", rows[0], {"captions": ["one"]}))
