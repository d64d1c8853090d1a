"""Pairs with human scores."""

from collections.abc import Callable
from pathlib import Path

import pytest

from farthing.core.errors import InputError
from farthing.learn.match import data

Writer = Callable[[str, list[dict[str, object]]], Path]


def test_human_scores_are_normalised_by_group(write: Writer) -> None:
    rows = [{"candidate": f"c{n}", "reference": "r", "score": n * (1 + n % 2), "lp": f"l{n % 2}-en"} for n in range(20)]
    rows.append({"candidate": "x", "reference": ["y", "z"], "score": 7, "lp": "en-de"})
    found = data.human(write("h.jsonl", rows), groups="lp", only={"lp": "*-en"})
    assert len(found) == 20
    for group in (found.targets[::2], found.targets[1::2]):
        assert (group.mean(), group.std()) == pytest.approx((0, 1))


def test_texts_of_other_files_can_be_barred(write: Writer) -> None:
    rows = [{"candidate": f"c{n}", "reference": f"r{n}", "score": n} for n in range(5)]
    barred = write("b.jsonl", [{"candidate": "r3", "reference": "other", "score": 1}])
    found = data.human(write("h.jsonl", rows), without=[barred])
    assert found.candidates == ["c0", "c1", "c2", "c4"]
    with pytest.raises(InputError, match="no row is left"):
        data.human(write("some.jsonl", rows[:2]), without=[write("all.jsonl", rows)])


def test_a_training_split_can_be_kept_apart_from_the_test_split_of_its_file(write: Writer) -> None:
    rows = [{"candidate": f"c{n}", "reference": f"r{n}", "score": n, "split": "train"} for n in range(5)]
    rows += [{"candidate": "r2", "reference": "c4", "score": 1, "split": "test"}]
    file = write("h.jsonl", rows)
    assert data.human(file, only={"split": "train"}).candidates == ["c0", "c1", "c2", "c3", "c4"]
    assert data.human(file, only={"split": "train"}, without=[file]).candidates == ["c0", "c1", "c3"]
